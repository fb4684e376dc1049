import { notFound, createEntityField as operation } from '@stanza/contracts';
import { audit, checkRoomOf, handle, newId } from '@stanza/runtime';
import type { CreateDependencies } from '../dependencies.ts';
import { checkPlace, checkRoom } from '../domain/field-tree.ts';
import { presentField } from '../domain/present-data.ts';
import { fieldsOf, insertField } from '../store/entity-fields.ts';
import { changeEntity, lockEntity } from '../store/entity-records.ts';

/** Adds a field to an entity. */
export const createEntityField = ({ database, outbox, clock, allowances }: CreateDependencies) =>
  handle(operation, async ({ input: { params, body }, context, tenant }) => {
    const allowance = await allowances.of(tenant.organizationId);
    return database.transaction(async (tx) => {
      const entity = await lockEntity(tenant, tx, params.id);
      if (!entity) throw notFound('entity');
      const fields = await fieldsOf(tenant, tx, entity.id);
      const madeBefore = fields.find((field) => field.operation_id === context.operationId);
      if (madeBefore) return presentField(madeBefore, fields);

      const at = clock.now();
      const made = {
        id: newId(),
        operation_id: context.operationId,
        entity_id: entity.id,
        parent_field_id: body.parent_field_id?.toLowerCase() ?? null,
        name: body.name,
        label: body.label ?? null,
        type: body.type,
        description: body.description ?? null,
        required: body.required ?? false,
        created_at: at,
        updated_at: at,
      };
      checkRoomOf('entity_fields', allowance, fields.length);
      checkRoom(fields);
      checkPlace(fields, made);
      const field = await insertField(tenant, tx, made);
      await changeEntity(tenant, tx, entity.id, { updated_at: at });
      await audit(tx, outbox, context, {
        action: 'entity_field.created',
        subject: { kind: 'entity_field', id: field.id },
        changes: { entity_id: entity.id, name: field.name, type: field.type },
        at,
      });
      return presentField(field, [...fields, field]);
    });
  });
