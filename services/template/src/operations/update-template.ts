import { authorOf, notFound, updateTemplate as operation } from '@stanza/contracts';
import { audit, checkIfMatch, handle } from '@stanza/runtime';
import { checkSettings } from '../checked-settings.ts';
import type { Dependencies } from '../dependencies.ts';
import { authorsOfSettings, withAuthors } from '../domain/author.ts';
import { auditedChanges, changesOf, isEmpty } from '../domain/changes.ts';
import { keyIsFixed } from '../domain/errors.ts';
import { changesLive } from '../domain/live-settings.ts';
import { presentTemplate } from '../domain/present-template.ts';
import type { TemplateRow } from '../domain/tables.ts';
import { activationRightsOf } from '../read-activation-rights.ts';
import { templateKeys } from '../store/keys.ts';
import { changeTemplate, findTemplate, lockTemplate } from '../store/templates.ts';

/**
 * Changes the metadata of a template. The fallback text and the language are compiled first, since no version could be
 * saved with invalid ones.
 */
export const updateTemplate = ({ database, outbox, rpc, clock }: Dependencies) =>
  handle(operation, async ({ input: { params, body }, context, principal, tenant }) => {
    const template = await findTemplate(tenant, database, params.id);
    if (!template) throw notFound('template');
    const { id } = template;
    const { key: _, ...said } = body;
    const wanted = changesOf(template, said);
    await checkSettings({ database, rpc }, context, template, wanted);
    const readRights = activationRightsOf(rpc, context, principal, 'templates:update', 'settings');

    return database.transaction(async (tx) => {
      const locked = await lockTemplate(tenant, tx, id);
      if (!locked) throw notFound('template');
      const before = await templateKeys.withKey(tenant, tx, locked);
      checkIfMatch(context, operation, presentTemplate(before));
      const changes = changesOf(before, body);
      if (isEmpty(changes)) return presentTemplate(before);
      const isSetting = changesLive(changes);
      if (before.current_version_id !== null && isSetting) (await readRights()).needFreeSettings();
      const at = clock.now();
      const { key, ...columns } = changes;
      if (key !== undefined) {
        if (before.activation_count > 0) throw keyIsFixed('template', before.key);
        await templateKeys.change(tenant, tx, id, key);
      }
      await changeTemplate(tenant, tx, id, {
        ...columns,
        ...(isSetting && {
          settings_authors: withAuthors(authorsOfSettings(before), authorOf(principal.actor)),
        }),
        updated_at: at,
      });
      await audit(tx, outbox, context, {
        action: 'template.updated',
        subject: { kind: 'template', id },
        changes: {
          ...auditedChanges<TemplateRow>(before, columns),
          // A field `key` is a credential to the audit log.
          ...(key !== undefined && { template_key: { from: before.key, to: key } }),
        },
        at,
      });
      return presentTemplate({ ...before, ...changes, updated_at: at });
    });
  });
