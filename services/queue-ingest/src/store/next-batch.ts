import { nextDue } from '@stanza/runtime';
import { isToBeShown } from '../domain/tables.ts';

/** Finds the time until the next batch is to be closed, or shown while it collects. */
export const nextBatch = nextDue('batch-next', {
  // The first moment of each kind leads its own index.
  from: `(select min(window_end) as due_at from batches where status = 'collecting'
     union all
     select min(live_due_at) from batches where ${isToBeShown}) as waiting`,
  moment: 'due_at',
});
