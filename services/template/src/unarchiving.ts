import { notFound, type unarchivePartial, type unarchiveTemplate } from '@stanza/contracts';
import { audit, handle } from '@stanza/runtime';
import type { Dependencies } from './dependencies.ts';
import { authorsOfAppearance } from './domain/appearance.ts';
import { presentLifecycleChange } from './domain/present-template.ts';
import type { TemplateKind } from './domain/tables.ts';
import { activationRightsOf } from './read-activation-rights.ts';
import { needRightsToVersion } from './rights-to-version.ts';
import { holdModalsOpenedBy } from './store/modal-references.ts';
import { changeTemplate, lastArchivedAt, lockTemplate, noteArchival } from './store/templates.ts';
import { findVersion } from './store/versions.ts';

/**
 * Unarchives a template or a partial. Its live version is what messages are made of again, so that it asks as an
 * activation does.
 */
export const unarchiving = (
  operation: typeof unarchiveTemplate | typeof unarchivePartial,
  kind: TemplateKind,
  { database, outbox, rpc, clock }: Dependencies,
) =>
  handle(operation, async ({ input: { params }, context, principal, tenant }) => {
    const readRights = activationRightsOf(rpc, context, principal, 'templates:update', 'archived');
    return database.transaction(async (tx) => {
      const template = await lockTemplate(tenant, tx, params.id, kind);
      if (!template) throw notFound(kind);
      const { archived_at } = template;
      if (archived_at === null) {
        return presentLifecycleChange(template, false, await lastArchivedAt(tenant, tx, template.id));
      }
      const live =
        template.current_version_id === null
          ? null
          : await findVersion(tenant, tx, template.id, template.current_version_id);
      if (live)
        await needRightsToVersion(tenant, tx, await readRights(), live, authorsOfAppearance(template));
      // A modal may have been deleted since. The template comes back all the same: no archived one takes another version.
      const missing = live ? await holdModalsOpenedBy(tenant, tx, live.id) : [];
      const at = clock.now();
      const changes = { archived_at: null, updated_at: at };
      await changeTemplate(tenant, tx, template.id, changes);
      await noteArchival(tenant, tx, template.id, archived_at);
      await audit(tx, outbox, context, {
        action: `${kind}.unarchived`,
        subject: { kind, id: template.id },
        changes: { name: template.name },
        at,
      });
      const warnings = missing.map((id) => `The live version opens the modal ${id}, which was deleted.`);
      return {
        ...presentLifecycleChange({ ...template, ...changes }, true, archived_at),
        ...(warnings.length > 0 && { warnings }),
      };
    });
  });
