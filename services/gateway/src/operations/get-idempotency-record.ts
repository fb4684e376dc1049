import { notFound, getIdempotencyRecord as operation } from '@stanza/contracts';
import { handle, type ServiceContext } from '@stanza/runtime';
import { presentRecord } from '../idempotency/present-record.ts';
import { findFacts } from '../store/idempotency-upkeep.ts';

/** Shows the record of an idempotent request to operators. */
export const getIdempotencyRecord = ({ database }: Pick<ServiceContext<unknown>, 'database'>) =>
  handle(operation, async ({ input }) => {
    const facts = await findFacts(database, input.operation_id);
    if (!facts) throw notFound('idempotency record');
    return { record: presentRecord(facts) };
  });
