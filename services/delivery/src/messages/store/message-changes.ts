import { type InputOf, type LogPlace, streamedMessages, type streamMessages } from '@stanza/contracts';
import { type Database, InvariantError, type Queryable, statement, type Tenant } from '@stanza/runtime';
import { In } from 'typeorm';
import type { MessageRow } from '../message-tables.ts';
import { isMessage } from './by-id.ts';
import { digestFor } from './by-key.ts';
import { messageFilters } from './message-filters.ts';
import { messageEntity } from './message-log.ts';

/** The filters of the stream, with the id of the template that a key names. */
export type ChangeFilters = Omit<InputOf<typeof streamMessages>['query'], 'after' | 'template_key'> & {
  keyed_template_id?: string | undefined;
};

/** Changed messages, and where the next read continues. */
export interface Changes {
  items: MessageRow[];
  position: LogPlace;
  hasMore: boolean;
}

/** Before every message of its moment. */
const first = '00000000-0000-0000-0000-000000000000';

/**
 * A row carries the moment of its write, and a transaction may commit it after later rows of others were read. Therefore
 * everything from the start of the oldest transaction that writes messages on is held back.
 *
 * A statement that writes to a table takes its lock `RowExclusiveLock` before it runs, thus before the moment of its rows,
 * and a commit gives it back after others can see the rows. Who does not have the lock while this looks has its rows seen
 * by the statement after this one, or takes a later moment. Transactions that read, even `for update`, have other locks.
 * Their `backend_xid` would come too late: it is given after the moment, when the first row is written.
 *
 * Only this service's role writes messages, and it sees the beginning of its own transactions. The half second covers a
 * clock that is set back a little. Quarters of a second let readers that look at about the same time stand at the same
 * place.
 */
const settled = statement<{ before: Date; held_back: number }>(
  'messages-settled',
  `select before, extract(epoch from clock_timestamp() - before)::float8 as held_back
   from (
     select
       date_bin(
         '250 milliseconds', least(now(), min(writer.xact_start)) - interval '500 milliseconds', 'epoch') as before
     from pg_locks as held
     join pg_stat_activity as writer on writer.pid = held.pid
     where held.locktype = 'relation'
       and held.database = (select oid from pg_database where datname = current_database())
       and held.relation = 'messages'::regclass
       and held.mode = 'RowExclusiveLock'
       and held.granted
   ) as settled`,
);

/** Where the log is settled, and how many seconds ago that moment was. */
export interface SettledPlace {
  place: LogPlace;
  heldBackSeconds: number;
}

/** The place up to which nothing comes any more. It is read before the changes, by a statement of its own. */
export const whereLogIsSettled = async (db: Pick<Queryable, 'query'>): Promise<SettledPlace> => {
  const [row] = await db.query(settled);
  if (!row) throw new InvariantError('an aggregate has one row');
  return { place: { at: row.before, id: first }, heldBackSeconds: row.held_back };
};

interface Found {
  looked: number;
  last_at: Date | null;
  last_id: string | null;
  ids: string[];
}

const filtered = `id, updated_at, status, template_id, version_id, channel, channel_id, recipient_email, recipient_chat_id,
         origin, test, key_digest`;

// A bounded number of changes is walked, whatever is filtered.
const look = statement<Found>(
  'messages-changes',
  `with changed as materialized (
     select message_id, changed_at
     from message_states
     where organization_id = $1
       and environment = $2
       and (changed_at, message_id) > ($3::timestamptz, $4::uuid)
       and changed_at < $5::timestamptz
     order by changed_at, message_id
     limit ${streamedMessages.lookedAt}
   ), looked as materialized (
     select ${filtered}
     from changed
     cross join lateral (
       select ${filtered}
       from messages
       where ${isMessage('messages', { organization: '$1', environment: '$2', id: 'changed.message_id' })}
       limit 1) as message
   ), found as (
     select id, updated_at
     from looked
     where ${messageFilters}
       and ($14::text is null or key_digest = $14)
     order by updated_at, id
     limit ${streamedMessages.answered}
   ), last as (
     select updated_at, id from looked order by updated_at desc, id desc limit 1
   )
   select
     (select count(*) from looked) as looked,
     (select updated_at from last) as last_at,
     (select id from last) as last_id,
     array(select id::text from found order by updated_at, id) as ids`,
);

const valuesOf = (tenant: Tenant, after: LogPlace, until: LogPlace, filters: ChangeFilters) => [
  tenant.organizationId,
  tenant.environment,
  after.at,
  after.id,
  until.at,
  filters.status,
  filters.template_id,
  filters.keyed_template_id,
  filters.version_id,
  filters.channel,
  filters.recipient,
  filters.origin,
  filters.test === undefined ? undefined : filters.test === 'true',
  filters.idempotency_key === undefined ? undefined : digestFor(tenant, filters.idempotency_key),
];

const placeOf = ({ updated_at, id }: MessageRow): LogPlace => ({ at: updated_at, id });

/** Where the next read continues: after the last of a full answer, after all that was looked at, or at what is settled. */
const continuation = (found: Found, last: MessageRow | undefined, until: LogPlace) => {
  if (last && found.ids.length === streamedMessages.answered)
    return { position: placeOf(last), hasMore: true };
  const { looked, last_at, last_id } = found;
  if (looked === streamedMessages.lookedAt && last_at && last_id !== null)
    return { position: { at: last_at, id: last_id }, hasMore: true };
  return { position: until, hasMore: false };
};

/** The changes between two places, in their order; `until` is the place of {@link whereLogIsSettled}. */
export const changesBetween = async (
  tenant: Tenant,
  database: Database,
  { after, until }: { after: LogPlace; until: LogPlace },
  filters: ChangeFilters,
): Promise<Changes> => {
  // A place that was reached is kept where an older transaction shows up.
  if (until.at <= after.at) return { items: [], position: after, hasMore: false };
  return database.transaction(
    async (tx) => {
      const [found] = await tx.query(look, valuesOf(tenant, after, until, filters));
      if (!found || found.looked === 0) return { items: [], position: until, hasMore: false };
      const items = await tx.orm.find(messageEntity, {
        where: {
          organization_id: tenant.organizationId,
          environment: tenant.environment,
          id: In(found.ids),
        },
        order: { updated_at: 'ASC', id: 'ASC' },
      });
      return { items, ...continuation(found, items.at(-1), until) };
    },
    { isolation: 'REPEATABLE READ' },
  );
};
