import { deleteEntityField as operation } from '@stanza/contracts';
import { auditDeletion, handle } from '@stanza/runtime';
import type { WriteDependencies } from '../dependencies.ts';
import { fieldTree, flatten } from '../domain/field-tree.ts';
import { removeField } from '../store/entity-fields.ts';
import { changeEntity } from '../store/entity-records.ts';
import { lockField } from '../store/lock-field.ts';

/** Deletes a field of an entity with the fields inside it. */
export const deleteEntityField = ({ database, outbox, clock }: WriteDependencies) =>
  handle(operation, ({ input: { params }, context, tenant }) =>
    database.transaction(async (tx) => {
      const { entity, fields, field } = await lockField(tenant, tx, params);
      const at = clock.now();
      await removeField(tenant, tx, field.id);
      await changeEntity(tenant, tx, entity.id, { updated_at: at });
      return auditDeletion(tx, outbox, context, {
        kind: 'entity_field',
        id: field.id,
        changes: {
          entity_id: entity.id,
          name: field.name,
          fields_inside: flatten(fieldTree(fields, field.id)).length,
        },
        at,
      });
    }),
  );
