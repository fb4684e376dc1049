import { notFound, deleteSampleData as operation } from '@stanza/contracts';
import { auditDeletion, handle } from '@stanza/runtime';
import type { WriteDependencies } from '../dependencies.ts';
import { lockSampleData, removeSampleData } from '../store/sample-data.ts';

/** Deletes sample data. */
export const deleteSampleData = ({ database, outbox, clock }: WriteDependencies) =>
  handle(operation, ({ input: { params }, context, tenant }) =>
    database.transaction(async (tx) => {
      const row = await lockSampleData(tenant, tx, params.id);
      if (!row) throw notFound('sample data');
      await removeSampleData(tenant, tx, row.id);
      const changes = { name: row.name };
      return auditDeletion(tx, outbox, context, {
        kind: 'sample_data',
        id: row.id,
        changes,
        at: clock.now(),
      });
    }),
  );
