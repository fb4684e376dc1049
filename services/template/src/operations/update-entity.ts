import { notFound, updateEntity as operation } from '@stanza/contracts';
import { audit, handle } from '@stanza/runtime';
import type { WriteDependencies } from '../dependencies.ts';
import { auditedChanges, changesOf, isEmpty } from '../domain/changes.ts';
import { entityNameTaken } from '../domain/errors.ts';
import { presentEntityWithFields } from '../domain/present-data.ts';
import { fieldsOf } from '../store/entity-fields.ts';
import { changeEntity, isEntityNameTaken, lockEntity } from '../store/entity-records.ts';
import { entityKeys } from '../store/keys.ts';

/** Changes name or description of an entity. */
export const updateEntity = ({ database, outbox, clock }: WriteDependencies) =>
  handle(operation, async ({ input: { params, body }, context, tenant }) => {
    try {
      return await database.transaction(async (tx) => {
        const found = await lockEntity(tenant, tx, params.id);
        if (!found) throw notFound('entity');
        const entity = await entityKeys.withKey(tenant, tx, found);
        const fields = await fieldsOf(tenant, tx, entity.id);
        const changes = changesOf(entity, body);
        if (isEmpty(changes)) return presentEntityWithFields(entity, fields);
        const at = clock.now();
        await changeEntity(tenant, tx, entity.id, { ...changes, updated_at: at });
        await audit(tx, outbox, context, {
          action: 'entity.updated',
          subject: { kind: 'entity', id: entity.id },
          changes: auditedChanges(entity, changes),
          at,
        });
        return presentEntityWithFields({ ...entity, ...changes, updated_at: at }, fields);
      });
    } catch (error) {
      throw isEntityNameTaken(error) ? entityNameTaken(body.name ?? '') : error;
    }
  });
