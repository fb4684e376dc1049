import { notFound, deleteTemplate as operation } from '@stanza/contracts';
import { auditDeletion, handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { needsDeletable } from '../domain/deletion.ts';
import { findTemplate, lockTemplate, removeTemplate } from '../store/templates.ts';
import { referencesTo } from '../template-references.ts';

/**
 * Deletes an archived template. Other services are asked before its row is locked: they accept no new references to an
 * archived template, so the answer stays valid.
 */
export const deleteTemplate = ({ database, outbox, rpc, clock }: Dependencies) =>
  handle(operation, async ({ input: { params }, context, tenant }) => {
    const found = await findTemplate(tenant, database, params.id);
    if (!found) throw notFound('template');
    needsDeletable(found, []);
    needsDeletable(found, await referencesTo(found, rpc, context));

    return database.transaction(async (tx) => {
      const template = await lockTemplate(tenant, tx, found.id);
      if (!template) throw notFound('template');
      needsDeletable(template, []);
      await removeTemplate(tenant, tx, template.id);
      return auditDeletion(tx, outbox, context, {
        kind: 'template',
        id: template.id,
        changes: { name: template.name, type: template.type, versions: template.last_version_number },
        at: clock.now(),
      });
    });
  });
