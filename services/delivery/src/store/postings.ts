import type { ErrorBody } from '@stanza/contracts';
import { type Queryable, statement, type Tenant, type Transaction } from '@stanza/runtime';
import type { Attempt } from '../domain/chat-outcome.ts';
import type { MessageRow } from '../domain/rows.ts';

/** A message whose post is about to begin. */
export interface Posting {
  tenant: Tenant;
  id: string;
  /** The conversation that it goes to. */
  channel: string;
}

const begin = statement<Pick<MessageRow, 'id'>>(
  'messages-begin-posting',
  `update messages as message
   set status = 'posting',
       channel = asked.channel,
       posting_at = clock_timestamp(),
       updated_at = clock_timestamp()
   from unnest($1::uuid[], $2::text[], $3::uuid[], $4::text[]) as asked (organization_id, environment, id, channel)
   where message.organization_id = asked.organization_id
     and message.environment = asked.environment
     and message.id = asked.id
     and message.status = 'accepted'
     and message.deadline_at > clock_timestamp()
     and not exists (
       select
       from withdrawn_operations as withdrawn
       where withdrawn.organization_id = message.organization_id
         and withdrawn.environment = message.environment
         and withdrawn.operation_id = message.operation_id)
   returning message.id`,
);

/**
 * Writes down of messages of any tenants that their posts begin, before the first byte.
 * @returns those that may begin; the others were ended by somebody else, or their time is up
 */
export const beginPostings = async (db: Queryable, postings: readonly Posting[]): Promise<Set<string>> => {
  const rows = await db.query(begin, [
    postings.map((it) => it.tenant.organizationId),
    postings.map((it) => it.tenant.environment),
    postings.map((it) => it.id),
    postings.map((it) => it.channel),
  ]);
  return new Set(rows.map((row) => row.id));
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
     organization_id uuid, environment text, id uuid, status text, channel text, message_ts text, error text,
     error_facts json, attempts json, look_up_after_ms float8)
   where message.organization_id = given.organization_id
     and message.environment = given.environment
     and message.id = given.id
     and message.status in ('accepted', 'posting')
   returning message.id`,
);

const givenOf = ({ tenant, id, ending, attempts }: EndedMessage): object => {
  const sent = ending.status === 'sent' ? ending : undefined;
  const { code, ...facts } = ending.status === 'sent' ? {} : ending.error;
  return {
    organization_id: tenant.organizationId,
    environment: tenant.environment,
    id,
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
 * @returns those whose outcome it was; of the others somebody has written one before
 */
export const endMessages = async (
  tx: Transaction,
  messages: readonly EndedMessage[],
): Promise<Set<string>> => {
  const rows = await tx.query(end, [JSON.stringify(messages.map(givenOf))]);
  return new Set(rows.map((row) => row.id));
};
