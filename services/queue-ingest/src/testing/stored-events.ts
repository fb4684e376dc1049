import { eventIdAt } from '../domain/event-ids.ts';
import { unpack } from '../store/packed-events.ts';
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
    (packed ? unpack(packed) : [event ?? {}]).map((one, at) => ({
      ...first,
      position: first.position + at,
      id: eventIdAt(first.id, at),
      event: one,
    })),
  );
};

/** Ways to store events: as a row for each, which release 0.1.0 reads, or for each push. */
export const forms = [
  { form: 'a row for each event', byPush: false },
  { form: 'a row for each push', byPush: true },
] as const;
