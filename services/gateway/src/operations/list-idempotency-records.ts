import { listIdempotencyRecords as operation } from '@stanza/contracts';
import { handle, type ServiceContext } from '@stanza/runtime';
import { presentRecord } from '../idempotency/present-record.ts';
import { listRecords } from '../store/idempotency-upkeep.ts';

/** Lists idempotent requests for operators. */
export const listIdempotencyRecords = ({ database }: Pick<ServiceContext<unknown>, 'database'>) =>
  handle(operation, async ({ input }) => ({
    records: (await listRecords(database, input)).map(presentRecord),
  }));
