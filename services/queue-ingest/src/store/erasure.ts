import type { Environment } from '@stanza/contracts';
import { type Database, type ErasureBefore, type ErasureStep, statement } from '@stanza/runtime';

/** Batches whose events go with one statement: a batch has a thousand at most, and those of one push more. */
const batchesAtOnce = 5;

interface BatchName {
  environment: Environment;
  id: string;
}

const nextBatches = statement<BatchName>(
  'erase-next-batches',
  `select environment, id
   from batches
   where organization_id = $1 and (environment, id) > ($2, $3::uuid)
   order by environment, id
   limit ${batchesAtOnce}`,
);

const eraseBatches = statement<{ erased: number }>(
  'erase-batches-with-events',
  `with events_gone as (
     delete from events
     where batch_id = any ($3::uuid[])
     returning 1
   ), batches_gone as (
     delete from batches
     where organization_id = $1 and (environment, id) in (select * from unnest($2::text[], $3::uuid[]))
     returning 1
   )
   select (select count(*) from events_gone) + (select count(*) from batches_gone) as erased`,
);

/** Sorts before every batch. */
const beginning = ['', '00000000-0000-0000-0000-000000000000'];

const eraseNext = async (
  database: Database,
  organizationId: string,
  after: string[] | null,
): Promise<ErasureStep> => {
  const batches = await database.query(nextBatches, [organizationId, ...(after ?? beginning)]);
  const end = batches.at(-1);
  if (!end) return { matching: 0, erased: 0, last: null };
  const columns = [batches.map((it) => it.environment), batches.map((it) => it.id)];
  const [gone] = await database.query(eraseBatches, [organizationId, ...columns]);
  return { matching: batches.length, erased: gone?.erased ?? 0, last: [end.environment, end.id] };
};

/**
 * Events are found by their batches: no index of theirs begins with the organization, and one would be written with each
 * event that is ever pushed, for the rare day on which an organization is deleted.
 */
export const eraseEvents: ErasureBefore = { table: 'events', step: eraseNext };
