import { zstdDecompressSync } from 'node:zlib';
import type pg from 'pg';
import { z } from 'zod';

/** Events of a push as queue-ingest packs them, each with an id of its sender. */
const packedEvents = z.array(z.object({ id: z.string() }));

/** A stored event: the id that its sender gave it, and its batch. */
export interface StoredEvent {
  id: string;
  batch_id: string;
}

/** All stored events of organizations, of which each has an id of its sender. */
export const storedEvents = async (
  database: Pick<pg.Pool, 'query'>,
  organizationIds: readonly string[],
): Promise<StoredEvent[]> => {
  const { rows } = await database.query<{ batch_id: string; packed: Buffer }>(
    'select batch_id, packed from queue_ingest.event_pushes where organization_id = any ($1)',
    [organizationIds],
  );
  return rows.flatMap(({ batch_id, packed }) =>
    packedEvents.parse(JSON.parse(zstdDecompressSync(packed).toString())).map(({ id }) => ({ id, batch_id })),
  );
};
