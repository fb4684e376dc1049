import { type Queryable, statement, type Tenant, unpackEvents, unpackText } from '@stanza/runtime';
import { eventIdAt } from '../domain/packed-events.ts';
import type { BatchRow } from '../domain/tables.ts';

/** A stored event. */
export interface StoredEvent {
  id: string;
  received_at: Date;
  event: Record<string, unknown>;
}

/** A row of `events`, which is one event, or of `event_pushes`, which is those that a push has added to the batch. */
interface EventRow {
  /** Of the first event, from 0. */
  position: number;
  received_at: Date;
  first_id: string;
  event_count: number;
  event: StoredEvent['event'] | null;
  packed: Buffer | null;
}

/**
 * Events of a batch are searched from the day before it was opened: the previous version took both moments from the
 * clocks of replicas, and a batch could be younger than its events.
 */
const since = "received_at >= $4::timestamptz - interval '1 day'";

const selectEvents = statement<EventRow>(
  'batch-events',
  `select position, received_at, id as first_id, 1 as event_count, event, null as packed
   from events
   where batch_id = $3 and organization_id = $1 and environment = $2
     and ${since} and position >= $5 and position < $6
   union all
   select position, received_at, first_id, event_count, null, packed
   from event_pushes
   where batch_id = $3 and organization_id = $1 and environment = $2
     and ${since} and position + event_count > $5 and position < $6
   order by position`,
);

/** A page of a batch's events. */
export interface EventPage {
  limit: number;
  offset: number;
}

const whole = { limit: 2 ** 31 - 1, offset: 0 };

const rowsOf = (
  { organizationId, environment }: Tenant,
  db: Queryable,
  batch: Pick<BatchRow, 'id' | 'opened_at'>,
  { limit, offset }: EventPage,
): Promise<EventRow[]> => {
  const values = [organizationId, environment, batch.id, batch.opened_at, offset, offset + limit];
  return db.query(selectEvents, values);
};

/** Events of a batch in order; only partitions since its opening are read. */
export const eventsOf = async (
  tenant: Tenant,
  db: Queryable,
  batch: Pick<BatchRow, 'id' | 'opened_at'>,
  page: EventPage = whole,
): Promise<StoredEvent[]> => {
  const rows = await rowsOf(tenant, db, batch, page);
  const end = page.offset + page.limit;
  return rows.flatMap(({ position, received_at, first_id, event, packed }) => {
    const events = event ? [event] : packed ? unpackEvents(packed) : [];
    return events
      .map((one, at) => ({ position: position + at, id: eventIdAt(first_id, at), received_at, event: one }))
      .filter((it) => it.position >= page.offset && it.position < end)
      .map(({ position: _, ...stored }) => stored);
  });
};

/** The contents of all events of a batch, in order. */
export const contentOf = async (
  ...[tenant, db, batch]: Parameters<typeof eventsOf>
): Promise<StoredEvent['event'][]> => (await eventsOf(tenant, db, batch)).map(({ event }) => event);

/** The same as one JSON array, with their number: they are stored as text, and what delivery gets is text again. */
export const contentTextOf = async (
  tenant: Tenant,
  db: Queryable,
  batch: Pick<BatchRow, 'id' | 'opened_at'>,
): Promise<{ count: number; json: string }> => {
  const rows = await rowsOf(tenant, db, batch, whole);
  const texts = rows.map(({ event, packed }) =>
    packed ? unpackText(packed).slice(1, -1) : JSON.stringify(event),
  );
  const count = rows.reduce((sum, { event_count }) => sum + event_count, 0);
  return { count, json: `[${texts.join(',')}]` };
};
