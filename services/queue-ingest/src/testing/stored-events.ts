import { unpackEvents } from '@stanza/runtime';
import { eventIdAt } from '../domain/packed-events.ts';
import type { World } from './world.ts';

/** An event as a test finds it, whichever table has it. */
export interface FoundEvent {
  batch_id: string;
  position: number;
  id: string;
  received_at: Date;
  event: Record<string, unknown>;
}

interface Found extends Omit<FoundEvent, 'event'> {
  event: FoundEvent['event'] | null;
  packed: Buffer | null;
}

/** All stored events of an organization, by batch and position. */
export const storedEvents = async (
  { rows }: Pick<World, 'rows'>,
  organizationId: string,
): Promise<FoundEvent[]> => {
  const found = await rows<Found>(
    `select batch_id, position, id, received_at, event, null as packed
     from events
     where organization_id = $1
     union all
     select batch_id, position, first_id, received_at, null, packed
     from event_pushes
     where organization_id = $1
     order by batch_id, position`,
    [organizationId],
  );
  return found.flatMap(({ event, packed, ...first }) =>
    (packed ? unpackEvents(packed) : [event ?? {}]).map((one, at) => ({
      ...first,
      position: first.position + at,
      id: eventIdAt(first.id, at),
      event: one,
    })),
  );
};

interface PackedPush extends Pick<Found, 'position' | 'batch_id' | 'received_at'> {
  environment: string;
  first_id: string;
  packed: Buffer;
}

/** Makes the stored pushes of an organization rows of events, as releases up to 0.2.0 have written them. */
export const storeByEvent = async ({ rows }: Pick<World, 'rows'>, organizationId: string): Promise<void> => {
  const pushes = await rows<PackedPush>(
    `delete from event_pushes where organization_id = $1
     returning environment, batch_id, position, received_at, first_id, packed`,
    [organizationId],
  );
  for (const { environment, batch_id, position, received_at, first_id, packed } of pushes) {
    const events = unpackEvents(packed);
    await rows(
      `insert into events (organization_id, environment, batch_id, position, received_at, id, event)
       select $1, $2, $3, position, $4, id, event
       from unnest($5::integer[], $6::uuid[], $7::json[]) as given (position, id, event)`,
      [
        organizationId,
        environment,
        batch_id,
        received_at,
        events.map((_, at) => position + at),
        events.map((_, at) => eventIdAt(first_id, at)),
        events.map((it) => JSON.stringify(it)),
      ],
    );
  }
};
