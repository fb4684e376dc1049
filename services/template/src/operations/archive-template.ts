import { notFound, archiveTemplate as operation } from '@stanza/contracts';
import { audit, handle } from '@stanza/runtime';
import type { WriteDependencies } from '../dependencies.ts';
import { presentLifecycleChange } from '../domain/present-template.ts';
import { changeTemplate, lockTemplate } from '../store/templates.ts';

/** Archives a template. */
export const archiveTemplate = ({ database, outbox, clock }: WriteDependencies) =>
  handle(operation, ({ input: { params }, context, tenant }) =>
    database.transaction(async (tx) => {
      const template = await lockTemplate(tenant, tx, params.id);
      if (!template) throw notFound('template');
      if (template.archived_at !== null) return presentLifecycleChange(template, false);
      const at = clock.now();
      const changes = { archived_at: at, updated_at: at };
      await changeTemplate(tenant, tx, template.id, changes);
      await audit(tx, outbox, context, {
        action: 'template.archived',
        subject: { kind: 'template', id: template.id },
        changes: { name: template.name },
        at,
      });
      return presentLifecycleChange({ ...template, ...changes }, true);
    }),
  );
