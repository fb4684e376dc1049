import { notFound, deleteEntityField as operation } from '@stanza/contracts';
import { audit, handle } from '@stanza/runtime';
import type { WriteDependencies } from '../dependencies.ts';
import { fieldTree, flatten } from '../domain/field-tree.ts';
import { fieldsOf, removeField } from '../store/entity-fields.ts';
import { changeEntity, lockEntity } from '../store/entity-records.ts';

/** Deletes a field of an entity with the fields inside it. */
export const deleteEntityField = ({ database, outbox, clock }: WriteDependencies) =>
  handle(operation, ({ input: { params }, context, tenant }) =>
    database.transaction(async (tx) => {
      const entity = await lockEntity(tenant, tx, params.id);
      if (!entity) throw notFound('entity');
      const fields = await fieldsOf(tenant, tx, entity.id);
      const field = fields.find(({ id }) => id === params.field_id.toLowerCase());
      if (!field) throw notFound('field');
      const at = clock.now();
      await removeField(tenant, tx, field.id);
      await changeEntity(tenant, tx, entity.id, { updated_at: at });
      await audit(tx, outbox, context, {
        action: 'entity_field.deleted',
        subject: { kind: 'entity_field', id: field.id },
        changes: {
          entity_id: entity.id,
          name: field.name,
          fields_inside: flatten(fieldTree(fields, field.id)).length,
        },
        at,
      });
      return { success: true as const, id: field.id };
    }),
  );
