import { notFound, updateSampleData as operation } from '@stanza/contracts';
import { audit, handle, type Transaction } from '@stanza/runtime';
import type { CreateDependencies } from '../dependencies.ts';
import { auditedChanges, changesOf, isEmpty } from '../domain/changes.ts';
import { presentSampleData } from '../domain/present-data.ts';
import { namedEntityId, namedTemplateId, needFitting, needTemplate } from '../references.ts';
import { lockSampleData, writeSampleData } from '../store/sample-data.ts';
import { withinStoredBytes } from '../store/stored-bytes.ts';

/** Changes sample data; the result must match its entity. */
export const updateSampleData = ({ database, outbox, clock, allowances }: CreateDependencies) =>
  handle(operation, async ({ input: { params, body }, context, tenant }) => {
    const update = async (tx: Transaction) => {
      const row = await lockSampleData(tenant, tx, params.id);
      if (!row) throw notFound('sample data');
      const { template_key: _, entity_key: __, ...given } = body;
      const changes = changesOf(row, {
        ...given,
        template_id: await namedTemplateId(tenant, tx, body),
        entity_id: await namedEntityId(tenant, tx, body),
      });
      if (isEmpty(changes)) return presentSampleData(row);

      const at = clock.now();
      const changed = { ...row, ...changes, updated_at: at };
      if (changes.template_id !== undefined) await needTemplate(tenant, tx, changed.template_id);
      if (changes.entity_id !== undefined || changes.data !== undefined)
        await needFitting(tenant, tx, changed);
      await writeSampleData(tenant, tx, changed);
      await audit(tx, outbox, context, {
        action: 'sample_data.updated',
        subject: { kind: 'sample_data', id: row.id },
        changes: auditedChanges(row, changes),
        at,
      });
      return presentSampleData(changed);
    };
    const allowance = await allowances.of(tenant.organizationId);
    return database.transaction((tx) => withinStoredBytes(tenant, tx, allowance, () => update(tx)));
  });
