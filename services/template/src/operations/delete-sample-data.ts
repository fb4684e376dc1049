import { notFound, deleteSampleData as operation } from '@stanza/contracts';
import { audit, handle } from '@stanza/runtime';
import type { WriteDependencies } from '../dependencies.ts';
import { lockSampleData, removeSampleData } from '../store/sample-data.ts';

/** Deletes sample data. */
export const deleteSampleData = ({ database, outbox, clock }: WriteDependencies) =>
  handle(operation, ({ input: { params }, context, tenant }) =>
    database.transaction(async (tx) => {
      const row = await lockSampleData(tenant, tx, params.id);
      if (!row) throw notFound('sample data');
      await removeSampleData(tenant, tx, row.id);
      await audit(tx, outbox, context, {
        action: 'sample_data.deleted',
        subject: { kind: 'sample_data', id: row.id },
        changes: { name: row.name },
        at: clock.now(),
      });
      return { success: true as const, id: row.id };
    }),
  );
