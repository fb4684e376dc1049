import { type InputOf, type LogPlace, streamedMessages, type streamMessages } from '@stanza/contracts';
import {
  type Database,
  InvariantError,
  type Queryable,
  settledPlaceSql,
  statement,
  type Tenant,
} from '@stanza/runtime';
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

/** A changed message, and the place of its change. */
export interface Change {
  row: MessageRow;
  place: LogPlace;
}

/** Changed messages, and where the next read continues. */
export interface Changes {
  items: Change[];
  position: LogPlace;
  hasMore: boolean;
}

/** Before every message of its moment. */
const first = '00000000-0000-0000-0000-000000000000';

const settled = statement<{ before: Date; is_held: boolean }>(
  'messages-settled',
  `select ${settledPlaceSql} as before,
     pg_snapshot_xmin(pg_current_snapshot()) < pg_snapshot_xmax(pg_current_snapshot()) as is_held`,
);

/** Where the log is settled, and whether a transaction that still runs holds later changes back. */
export interface SettledPlace {
  place: LogPlace;
  isHeld: boolean;
}

/** The place up to which nothing comes any more. It is read before the changes, by a statement of its own. */
export const whereLogIsSettled = async (db: Pick<Queryable, 'query'>): Promise<SettledPlace> => {
  const [row] = await db.query(settled);
  if (!row) throw new InvariantError('a select without a table has one row');
  return { place: { at: row.before, id: first }, isHeld: row.is_held };
};

interface Found {
  looked: number;
  last_at: Date | null;
  last_id: string | null;
  ids: string[];
  places: Date[];
}

const filtered = `id, updated_at, status, template_id, version_id, channel, channel_id, recipient_email, recipient_chat_id,
         origin, test, key_digest, revises, message_key`;

// A bounded number of changes is walked, whatever is filtered.
const look = statement<Found>(
  'messages-changes',
  `with changed as materialized (
     select message_id, coalesce(followed_at, changed_at) as place
     from message_states
     where organization_id = $1
       and environment = $2
       and (coalesce(followed_at, changed_at), message_id) > ($3::timestamptz, $4::uuid)
       and coalesce(followed_at, changed_at) < $5::timestamptz
     order by coalesce(followed_at, changed_at), message_id
     limit ${streamedMessages.lookedAt}
   ), looked as materialized (
     select place, ${filtered}
     from changed
     cross join lateral (
       select ${filtered}
       from messages
       where ${isMessage('messages', { organization: '$1', environment: '$2', id: 'changed.message_id' })}
       limit 1) as message
   ), found as (
     select id, place
     from looked
     where ${messageFilters}
       and ($14::text is null or key_digest = $14)
       and ($15::text is null or message_key = $15)
     order by place, id
     limit ${streamedMessages.answered}
   ), last as (
     select place, id from looked order by place desc, id desc limit 1
   )
   select
     (select count(*) from looked) as looked,
     (select place from last) as last_at,
     (select id from last) as last_id,
     array(select id from found order by place, id)::text[] as ids,
     array(select place from found order by place, id) as places`,
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
  filters.message_key,
];

/** Where the next read continues: after the last of a full answer, after all that was looked at, or at what is settled. */
const continuation = (found: Found, last: Change | undefined, until: LogPlace) => {
  if (last && found.ids.length === streamedMessages.answered) return { position: last.place, hasMore: true };
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
      const rows = await tx.orm.findBy(messageEntity, {
        organization_id: tenant.organizationId,
        environment: tenant.environment,
        id: In(found.ids),
      });
      const byId = new Map(rows.map((row) => [row.id, row]));
      const items = found.ids.flatMap((id, index) => {
        const [row, at] = [byId.get(id), found.places[index]];
        return row && at ? [{ row, place: { at, id } }] : [];
      });
      return { items, ...continuation(found, items.at(-1), until) };
    },
    { isolation: 'REPEATABLE READ' },
  );
};
