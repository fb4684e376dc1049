import type { Environment } from '@stanza/contracts';
import { type ErasureBefore, type ErasureStep, type Queryable, statement } from '@stanza/runtime';

/** Batches whose events are deleted in one transaction: a batch has about a thousand at most. */
const batchesAtOnce = 5;

interface BatchName {
  environment: Environment;
  id: string;
}

// A push locks the row of its batch until its events are committed, so the holder of the lock sees all of them.
const holdBatches = statement<BatchName>(
  'erase-hold-batches',
  `select environment, id
   from batches
   where organization_id = $1 and (environment, id) > ($2, $3::uuid)
   order by environment, id
   limit ${batchesAtOnce}
   for update`,
);

const eraseEventsOf = statement<{ erased: number }>(
  'erase-events-of-batches',
  `with erased as (
     delete from events
     where organization_id = $1 and batch_id = any ($2::uuid[])
     returning 1
   ), erased_pushes as (
     delete from event_pushes
     where organization_id = $1 and batch_id = any ($2::uuid[])
     returning 1
   )
   select (select count(*) from erased) + (select count(*) from erased_pushes) as erased`,
);

const eraseBatches = statement<{ erased: number }>(
  'erase-batches',
  `with erased as (
     delete from batches
     where organization_id = $1 and (environment, id) in (select * from unnest($2::text[], $3::uuid[]))
     returning 1
   )
   select count(*) as erased
   from erased`,
);

/** Sorts before every batch. */
const beginning = ['', '00000000-0000-0000-0000-000000000000'];

const eraseNext = async (
  tx: Queryable,
  organizationId: string,
  after: string[] | null,
): Promise<ErasureStep> => {
  const batches = await tx.query(holdBatches, [organizationId, ...(after ?? beginning)]);
  const end = batches.at(-1);
  if (!end) return { matching: 0, erased: 0, last: null };
  const ids = batches.map((it) => it.id);
  const [events] = await tx.query(eraseEventsOf, [organizationId, ids]);
  const [gone] = await tx.query(eraseBatches, [organizationId, batches.map((it) => it.environment), ids]);
  const erased = (events?.erased ?? 0) + (gone?.erased ?? 0);
  return { matching: batches.length, erased, last: [end.environment, end.id] };
};

/**
 * Events are found by their batches: none of their indexes begins with the organization, since it would be maintained
 * for every pushed event and used only by rare erasures. Only this pass deletes batches, since a batch deleted without
 * its events would orphan them. While a batch exists, its queue cannot be deleted, and the erasure starts over.
 */
export const eraseEvents: ErasureBefore = { tables: ['events', 'event_pushes', 'batches'], step: eraseNext };
