import { authorOf, createSampleData as operation } from '@stanza/contracts';
import { audit, handle, newId } from '@stanza/runtime';
import type { CreateDependencies } from '../dependencies.ts';
import { presentSampleData } from '../domain/present-data.ts';
import { namedEntityId, namedTemplateId, needFitting, needTemplate } from '../references.ts';
import { insertSampleDataOnce } from '../store/sample-data.ts';
import { storedSampleData } from '../store/stored.ts';

/** Saves sample data for templates. */
export const createSampleData = ({ database, outbox, clock, allowances }: CreateDependencies) =>
  handle(operation, async ({ input: { body }, context, principal, tenant }) => {
    const allowance = await allowances.of(tenant.organizationId);
    const template_id = (await namedTemplateId(tenant, database, body)) ?? null;
    const entity_id = (await namedEntityId(tenant, database, body)) ?? null;
    const at = clock.now();
    const made = {
      id: newId(),
      operation_id: context.operationId,
      name: body.name,
      description: body.description ?? null,
      data: body.data,
      template_id,
      entity_id,
      created_by: authorOf(principal.actor),
      created_at: at,
      updated_at: at,
    };
    const { id, name } = made;
    const saved = await insertSampleDataOnce(tenant, database, made, {
      allowance,
      check: async (tx) => {
        await storedSampleData.check(tenant, tx, allowance, context.operationId);
        await needTemplate(tenant, tx, template_id);
        await needFitting(tenant, tx, made);
      },
      record: (tx) =>
        audit(tx, outbox, context, {
          action: 'sample_data.created',
          subject: { kind: 'sample_data', id },
          changes: { name, template_id, entity_id },
          at,
        }),
    });
    return presentSampleData(saved);
  });
