import type { InputOf, LogPlace, listEvents, PublicEvent, PublicEventType } from '@stanza/contracts';
import { deletion, type Queryable, statement, type Tenant, type Transaction } from '@stanza/runtime';
import { columnsOf } from '@stanza/runtime/table';
import { type EventRow, events } from '../event-tables.ts';
import { recording } from './recording.ts';

/** Something that has happened, with the id under which it is recorded. */
export interface Occurrence {
  id: string;
  type: PublicEventType;
  subject: string;
  data: PublicEvent['data'];
  at: Date;
}

const record = statement<{ recorded: PublicEventType }>(
  'events-record',
  `with ${recording(`
       select $1::uuid as organization_id, $2::text as environment, $3::uuid as id, $4::text as type,
         $5::uuid as subject, $6::json as data, $7::timestamptz as created_at`)}
   select type as recorded
   from recorded`,
  { wakes: 'deliver-to-destinations' },
);

/**
 * Records an event and orders its deliveries, where a subscription takes it; told again under its id it changes nothing.
 * @returns the types of what was recorded
 */
export const recordOccurrence = async (
  tenant: Tenant,
  tx: Transaction,
  { id, type, subject, data, at }: Occurrence,
): Promise<PublicEventType[]> => {
  const { organizationId, environment } = tenant;
  const json = JSON.stringify(data);
  const rows = await tx.query(record, [organizationId, environment, id, type, subject, json, at]);
  return rows.map(({ recorded }) => recorded);
};

/** The filters of a list of events. */
export type EventQuery = InputOf<typeof listEvents>['query'];

const page = (condition: string, name: string) =>
  statement<EventRow>(
    name,
    `select ${columnsOf(events)}
     from events
     where organization_id = $1 and environment = $2 ${condition}
       and created_at >= $3 and created_at < $4
       and (created_at, id) < ($5, $6)
     order by created_at desc, id desc
     limit $7`,
  );

// Two statements, because one plan for both would not read along the index of the type.
const newest = page('', 'events-newest');
const newestOfType = page('and type = $8', 'events-newest-of-type');

const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Lists events, newest first, from those before a position. */
export const eventsBefore = (
  tenant: Tenant,
  db: Queryable,
  { type, from, to }: Pick<EventQuery, 'type' | 'from' | 'to'>,
  position: LogPlace | undefined,
  limit: number,
): Promise<EventRow[]> => {
  const { organizationId, environment } = tenant;
  const bounds = [from ?? '-infinity', to ?? 'infinity', position?.at ?? 'infinity', position?.id ?? lastId];
  const values = [organizationId, environment, ...bounds, limit];
  return type === undefined ? db.query(newest, values) : db.query(newestOfType, [...values, type]);
};

const forget = deletion('events-forget', {
  from: 'events',
  where: "created_at < (select clock_timestamp()) - $1::integer * interval '1 day'",
  orderBy: 'created_at',
  atOnce: 500,
});

/** Deletes events, of any tenant, that happened the given days ago. Their deliveries are kept by a time of their own. */
export const forgetEvents = (db: Queryable, days: number): Promise<number> => forget(db, [days]);
