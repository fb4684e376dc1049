import { findRow, type Queryable, statement, type Tenant, type Transaction } from '@stanza/runtime';
import { columnsOf } from '@stanza/runtime/table';
import { type MessageChange, type MessageRow, messages } from '../message-tables.ts';
import { isMessage } from './by-id.ts';
import { isConnected } from './is-connected.ts';

/*
 * The changes of a message are rows of `messages` next to its own, so that they have all that a post has: an outcome
 * after any crash, one settlement, lookups. Their ids are of version 8 where those of messages are of version 7, by
 * which the statements that walk over `message_states` tell them apart.
 */

/** SQL of the condition that an id is that of a message, and not of a change of one. */
export const isOwnMessage = (id: string): string => `uuid_extract_version(${id}) <> 8`;

/** Makes the id of a message that of a change; both sort by their moment. */
export const changeIdFrom = (id: string): string => `${id.slice(0, 14)}8${id.slice(15)}`;

/** The numbers of a message's revisions. */
export interface Numbers {
  /** What the channel shows once all changes before have their outcome, unless they fail. */
  current: number;
  next: number;
}

const latest = (condition = ''): string =>
  `select revision
     from messages
     where organization_id = $1
       and environment = $2
       and revises = $3${condition}
     order by revision desc
     limit 1`;

/**
 * SQL of the numbers of the message `$3` of the tenant in `$1` and `$2`. Each looks from the end of the index: a
 * message may have thousands of changes.
 */
export const numbers = `select
     coalesce((${latest(`
       and status <> 'failed'
       and (status <> 'sent' or posting_at is not null)`)}), 1) as current,
     coalesce((${latest()}), 1) + 1 as next`;

const number = statement<Numbers>('revisions-number', numbers);

/** Numbers a new change, under the lock of its message. */
export const numbersOf = async (tenant: Tenant, tx: Transaction, id: string): Promise<Numbers> =>
  (await findRow(tx, number, [tenant.organizationId, tenant.environment, id])) ?? { current: 1, next: 2 };

/**
 * Milliseconds from the beginning of a change with an unknown outcome for which later ones wait for its lookup. After
 * that the platform does not work it off any more.
 */
const overtakenAfterMs = 60_000;

/** SQL of whether a call of a row had no answer and may still come about, so that its content would be shown again. */
const mayComeAbout = (row: string): string => `${row}.lookup_due_at is not null
         and case ${row}.status
           when 'unknown' then ${row}.posting_at > clock_timestamp() - interval '${overtakenAfterMs} milliseconds'
           when 'sent' then ${row}.lookup_due_at > clock_timestamp()
           else false
         end`;

/** SQL of whether a change must have its outcome before an update can begin. */
export const comesBeforeUpdate = (row: string): string =>
  `(${row}.status in ('accepted', 'posting') or (${mayComeAbout(row)}))`;

/** A change that wants its turn. */
export interface Waiting {
  tenant: Tenant;
  id: string;
  revises: string;
  revision: number;
  fence: number;
  /** Null where nothing is the same. */
  contentDigest: string | null;
  /** A deletion waits for no call without an answer: what it overtakes finds no message. */
  change: MessageChange;
}

/** What a look for the turn found. */
export interface Turn {
  /** Of the message. */
  status: MessageRow['status'];
  /** Where the message is; null before it is sent. */
  channel: string | null;
  message_ts: string | null;
  /** What the channel shows. */
  revision: number;
  /** Another change is before it, or the message is still being sent. */
  is_behind: boolean;
  /** The channel shows the same content. */
  is_same: boolean;
  /** When the change begins, by the database's clock; null when it does not. */
  posting_at: Date | null;
}

// No two changes of a message are `posting`: each looks at all before it, which it can see since they began before.
const take = statement<Turn>(
  'revisions-take-turn',
  `with message as materialized (
     select status, channel, message_ts, content_digest, revision, lookup_due_at, posting_at
     from messages
     where ${isMessage('messages', { organization: '$1', environment: '$2', id: '$4' })}
   ), ahead as materialized (
     select
     from messages
     where organization_id = $1
       and environment = $2
       and revises = $4
       and revision < $5
       and ${comesBeforeUpdate('messages')}
       and ($9 <> 'delete' or status in ('accepted', 'posting'))
     limit 1
   ), looked as materialized (
     select message.status, message.channel, message.message_ts, message.revision,
       exists (select from ahead) or ${comesBeforeUpdate('message')} as is_behind,
       coalesce(message.content_digest = $7, false) and not exists (
         select
         from messages
         where organization_id = $1
           and environment = $2
           and revises = $4
           and revision > message.revision
           and status = 'unknown') as is_same
     from message
   ), begun as (
     update messages as change
     set status = 'posting',
         content_digest = $7,
         channel = looked.channel,
         posting_at = clock_timestamp(),
         posting_fence = change.fence,
         updated_at = clock_timestamp()
     from looked
     where ${isMessage('change', { organization: '$1', environment: '$2', id: '$3' })}
       and change.status = 'accepted'
       and change.fence = $6
       and change.deadline_at > clock_timestamp() + $8 * interval '1 millisecond'
       and looked.status = 'sent'
       and not looked.is_behind
       and not looked.is_same
       and (change.origin in ('send', 'bulk') or not exists (
         select
         from withdrawn_operations as withdrawn
         where withdrawn.organization_id = change.organization_id
           and withdrawn.environment = change.environment
           and withdrawn.operation_id = change.operation_id))
       and ${isConnected('change')}
     returning change.posting_at
   )
   select looked.*, (select posting_at from begun)
   from looked`,
);

/**
 * Begins a change when all changes before it have their outcome, unless its message shows the same already.
 * @param minMs milliseconds that must be left of the deadline
 */
export const takeTurn = (db: Queryable, waiting: Waiting, minMs: number): Promise<Turn | undefined> => {
  const { tenant, id, revises, revision, fence, contentDigest, change } = waiting;
  const values = [id, revises, revision, fence, contentDigest, minMs, change];
  return findRow(db, take, [tenant.organizationId, tenant.environment, ...values]);
};

/** SQL of what a message shows of a change, for an update of `message`. */
export const shownColumns = `revision = change.revision,
       template_id = change.template_id,
       posted_version_id = coalesce(message.posted_version_id, message.version_id),
       posted_version_number = coalesce(message.posted_version_number, message.version_number),
       version_id = change.version_id,
       version_number = change.version_number,
       content_digest = change.content_digest,
       status = case change.change when 'delete' then 'deleted' else message.status end,
       updated_at = clock_timestamp()`;

const show = statement<Pick<MessageRow, 'id'>>(
  'revisions-show',
  `update messages as message
   set ${shownColumns}
   from messages as change
   where ${isMessage('change', { organization: '$1', environment: '$2', id: '$3' })}
     and change.status = 'sent'
     and change.posting_at is not null
     and ${isMessage('message', { organization: '$1', environment: '$2', id: '$4' })}
     and message.status = 'sent'
     and message.revision < change.revision
   returning message.id`,
);

/** Lets a message show a change that the platform has taken, in the transaction that decides it. */
export const showRevision = async (
  { organizationId, environment }: Tenant,
  tx: Transaction,
  { id, revises }: { id: string; revises: string },
): Promise<void> => {
  await tx.query(show, [organizationId, environment, id, revises]);
};

const stepBack = statement<Record<string, never>>(
  'revisions-step-back',
  `delete from messages
   where ${isMessage('messages', { organization: '$1', environment: '$2', id: '$3' })}
     and revises is not null
     and fence = $4
     and status in ('accepted', 'posting')`,
);

/** Takes a change that was not made out of the turns: its next try begins behind those that have come since. */
export const stepBackChange = async (
  { organizationId, environment }: Tenant,
  tx: Transaction,
  { id, fence }: Pick<MessageRow, 'id' | 'fence'>,
): Promise<void> => {
  await tx.query(stepBack, [organizationId, environment, id, fence]);
};

/** Revisions that are shown at most. */
const shown = 100;

const list = statement<MessageRow>(
  'revisions-list',
  `select ${columnsOf(messages)}
   from messages
   where organization_id = $1
     and environment = $2
     and revises = $3
     and (status <> 'sent' or posting_at is not null)
   order by revision desc
   limit ${shown}`,
);

/** Reads the latest changes of a message, oldest first. */
export const changesOf = async (tenant: Tenant, db: Queryable, id: string): Promise<MessageRow[]> =>
  (await db.query(list, [tenant.organizationId, tenant.environment, id])).reverse();
