import { type archivePartial, type archiveTemplate, notFound } from '@stanza/contracts';
import { audit, handle } from '@stanza/runtime';
import type { WriteDependencies } from './dependencies.ts';
import { presentLifecycleChange } from './domain/present-template.ts';
import type { TemplateKind } from './domain/tables.ts';
import { changeTemplate, lockTemplate } from './store/templates.ts';

/** Archives a template or a partial. */
export const archiving = (
  operation: typeof archiveTemplate | typeof archivePartial,
  kind: TemplateKind,
  { database, outbox, clock }: WriteDependencies,
) =>
  handle(operation, ({ input: { params }, context, tenant }) =>
    database.transaction(async (tx) => {
      const template = await lockTemplate(tenant, tx, params.id, kind);
      if (!template) throw notFound(kind);
      if (template.archived_at !== null) return presentLifecycleChange(template, false);
      const at = clock.now();
      const changes = { archived_at: at, updated_at: at };
      await changeTemplate(tenant, tx, template.id, changes);
      await audit(tx, outbox, context, {
        action: `${kind}.archived`,
        subject: { kind, id: template.id },
        changes: { name: template.name },
        at,
      });
      return presentLifecycleChange({ ...template, ...changes }, true);
    }),
  );
