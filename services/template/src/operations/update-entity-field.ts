import { updateEntityField as operation } from '@stanza/contracts';
import { audit, handle } from '@stanza/runtime';
import type { WriteDependencies } from '../dependencies.ts';
import { auditedChanges, changesOf, isEmpty } from '../domain/changes.ts';
import { checkPlace } from '../domain/field-tree.ts';
import { presentField } from '../domain/present-data.ts';
import { changeField } from '../store/entity-fields.ts';
import { changeEntity } from '../store/entity-records.ts';
import { lockField } from '../store/lock-field.ts';

/** Changes a field of an entity, or moves it with the fields inside it. */
export const updateEntityField = ({ database, outbox, clock }: WriteDependencies) =>
  handle(operation, ({ input: { params, body }, context, tenant }) =>
    database.transaction(async (tx) => {
      const { entity, fields, field } = await lockField(tenant, tx, params);
      const parent_field_id = body.parent_field_id?.toLowerCase() ?? body.parent_field_id;
      const changes = changesOf(field, { ...body, parent_field_id });
      if (isEmpty(changes)) return presentField(field, fields);

      const at = clock.now();
      const changed = { ...field, ...changes, updated_at: at };
      checkPlace(fields, changed);
      await changeField(tenant, tx, field.id, { ...changes, updated_at: at });
      await changeEntity(tenant, tx, entity.id, { updated_at: at });
      await audit(tx, outbox, context, {
        action: 'entity_field.updated',
        subject: { kind: 'entity_field', id: field.id },
        changes: { entity_id: entity.id, ...auditedChanges(field, changes) },
        at,
      });
      return presentField(
        changed,
        fields.map((it) => (it.id === changed.id ? changed : it)),
      );
    }),
  );
