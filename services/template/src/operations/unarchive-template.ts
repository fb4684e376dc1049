import { notFound, unarchiveTemplate as operation } from '@stanza/contracts';
import { audit, handle } from '@stanza/runtime';
import type { WriteDependencies } from '../dependencies.ts';
import { presentLifecycleChange } from '../domain/present-template.ts';
import { changeTemplate, lastArchivedAt, lockTemplate, noteArchival } from '../store/templates.ts';

/** Unarchives a template. */
export const unarchiveTemplate = ({ database, outbox, clock }: WriteDependencies) =>
  handle(operation, ({ input: { params }, context, tenant }) =>
    database.transaction(async (tx) => {
      const template = await lockTemplate(tenant, tx, params.id);
      if (!template) throw notFound('template');
      const { archived_at } = template;
      if (archived_at === null) {
        return presentLifecycleChange(template, false, await lastArchivedAt(tenant, tx, template.id));
      }
      const at = clock.now();
      const changes = { archived_at: null, updated_at: at };
      await changeTemplate(tenant, tx, template.id, changes);
      await noteArchival(tenant, tx, template.id, archived_at);
      await audit(tx, outbox, context, {
        action: 'template.unarchived',
        subject: { kind: 'template', id: template.id },
        changes: { name: template.name },
        at,
      });
      return presentLifecycleChange({ ...template, ...changes }, true, archived_at);
    }),
  );
