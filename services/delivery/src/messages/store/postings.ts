import type { ErrorBody } from '@stanza/contracts';
import { type Queryable, statement, type Tenant, type Transaction } from '@stanza/runtime';
import type { Attempt } from '../../chat/chat-outcome.ts';
import type { MessageRow } from '../../store/rows.ts';

/** A message whose post is about to begin. */
export interface Posting {
  tenant: Tenant;
  id: string;
  /** Of the try that posts it. */
  fence: number;
  /** The conversation that it goes to. */
  channel: string;
}

const begin = statement<{ id: string; posting_at: Date }>(
  'messages-begin-posting',
  `update messages as message
   set status = 'posting',
       channel = asked.channel,
       posting_at = clock_timestamp(),
       posting_fence = message.fence,
       updated_at = clock_timestamp()
   from unnest($1::uuid[], $2::text[], $3::uuid[], $4::text[], $5::integer[])
     as asked (organization_id, environment, id, channel, fence)
   where message.organization_id = asked.organization_id
     and message.environment = asked.environment
     and message.id = asked.id
     and message.status = 'accepted'
     and message.fence = asked.fence
     and message.deadline_at > clock_timestamp()
     and not exists (
       select
       from withdrawn_operations as withdrawn
       where withdrawn.organization_id = message.organization_id
         and withdrawn.environment = message.environment
         and withdrawn.operation_id = message.operation_id)
   returning message.id, message.posting_at`,
);

/**
 * Writes down of messages of any tenants that their posts begin, before the first byte.
 * @returns those that may begin, with the moment; the others have ended, belong to a later try, or their time is up
 */
export const beginPostings = async (
  db: Queryable,
  postings: readonly Posting[],
): Promise<Map<string, Date>> => {
  const rows = await db.query(begin, [
    postings.map((it) => it.tenant.organizationId),
    postings.map((it) => it.tenant.environment),
    postings.map((it) => it.id),
    postings.map((it) => it.channel),
    postings.map((it) => it.fence),
  ]);
  return new Map(rows.map((row) => [row.id, row.posting_at]));
};

/** How a message ends, as its sender knows it. */
export type Ending =
  | { status: 'sent'; channel: string; messageTs: string }
  | { status: 'failed'; error: ErrorBody }
  | { status: 'unknown'; error: ErrorBody; lookUpAfterMs: number };

/** A message with its ending. */
export interface EndedMessage {
  tenant: Tenant;
  id: string;
  /** Of the try that ends it. */
  fence: number;
  ending: Ending;
  attempts: readonly Attempt[];
}

const end = statement<Pick<MessageRow, 'id'>>(
  'messages-end',
  `update messages as message
   set status = given.status,
       channel = coalesce(given.channel, message.channel),
       message_ts = given.message_ts,
       error = given.error,
       error_facts = given.error_facts,
       charged = (given.status = 'sent'),
       attempts = given.attempts,
       lookup_due_at = clock_timestamp() + given.look_up_after_ms * interval '1 millisecond',
       updated_at = clock_timestamp()
   from json_to_recordset($1::json) as given (
     organization_id uuid, environment text, id uuid, fence integer, status text, channel text, message_ts text, error text,
     error_facts json, attempts json, look_up_after_ms float8)
   where message.organization_id = given.organization_id
     and message.environment = given.environment
     and message.id = given.id
     and message.fence = given.fence
     and (message.status = 'accepted' or (message.status = 'posting' and message.posting_fence = given.fence))
   returning message.id`,
);

const givenOf = ({ tenant, id, fence, ending, attempts }: EndedMessage): object => {
  const sent = ending.status === 'sent' ? ending : undefined;
  const { code, ...facts } = ending.status === 'sent' ? {} : ending.error;
  return {
    organization_id: tenant.organizationId,
    environment: tenant.environment,
    id,
    fence,
    status: ending.status,
    channel: sent?.channel,
    message_ts: sent?.messageTs,
    error: code,
    error_facts: sent ? undefined : facts,
    attempts,
    look_up_after_ms: ending.status === 'unknown' ? ending.lookUpAfterMs : undefined,
  };
};

/**
 * Writes the outcomes of messages of any tenants, which decide whether they are charged.
 * @returns those whose outcome it was; the others had one before, or belong to a later try
 */
export const endMessages = async (
  tx: Transaction,
  messages: readonly EndedMessage[],
): Promise<Set<string>> => {
  const rows = await tx.query(end, [JSON.stringify(messages.map(givenOf))]);
  return new Set(rows.map((row) => row.id));
};
