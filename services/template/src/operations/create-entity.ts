import { authorOf, createEntity as operation } from '@stanza/contracts';
import { audit, handle, newId } from '@stanza/runtime';
import type { CreateDependencies } from '../dependencies.ts';
import { entityNameTaken } from '../domain/errors.ts';
import { presentEntityWithFields } from '../domain/present-data.ts';
import { fieldsOf } from '../store/entity-fields.ts';
import { insertEntityOnce, isEntityNameTaken } from '../store/entity-records.ts';
import { storedEntities } from '../store/stored.ts';

/** Creates an entity. */
export const createEntity = ({ database, outbox, clock, allowances }: CreateDependencies) =>
  handle(operation, async ({ input: { body }, context, principal, tenant }) => {
    const allowance = await allowances.of(tenant.organizationId);
    const at = clock.now();
    const made = {
      id: newId(),
      key: body.key,
      operation_id: context.operationId,
      name: body.name,
      description: body.description ?? null,
      created_by: authorOf(principal.actor),
      created_at: at,
      updated_at: at,
    };
    try {
      const entity = await insertEntityOnce(tenant, database, made, {
        check: (tx) => storedEntities.check(tenant, tx, allowance, context.operationId),
        record: (tx) =>
          audit(tx, outbox, context, {
            action: 'entity.created',
            subject: { kind: 'entity', id: made.id },
            changes: { name: made.name },
            at,
          }),
      });
      return presentEntityWithFields(entity, await fieldsOf(tenant, database, entity.id));
    } catch (error) {
      throw isEntityNameTaken(error) ? entityNameTaken(body.name) : error;
    }
  });
