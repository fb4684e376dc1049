import { notFound, duplicateTemplate as operation } from '@stanza/contracts';
import { audit, handle, newId } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { authorOf, sourceOf } from '../domain/author.ts';
import { presentTemplate, presentVersion } from '../domain/present-template.ts';
import { needTemplate } from '../references.ts';
import { activate, activationMoment } from '../store/activations.ts';
import { insertTemplateOnce } from '../store/authoring.ts';
import { atOneMoment } from '../store/snapshot.ts';
import { findTemplate } from '../store/templates.ts';
import { findVersion, newestVersion } from '../store/versions.ts';

/** Copies a template with its live version, which is live in the copy too. */
export const duplicateTemplate = ({
  database,
  outbox,
  clock,
}: Pick<Dependencies, 'database' | 'outbox' | 'clock'>) =>
  handle(operation, async ({ input: { params, body }, context, principal, tenant }) => {
    const original = await atOneMoment(database, async (tx) => {
      const template = await findTemplate(tenant, tx, params.id);
      if (!template) throw notFound('template');
      const { id, current_version_id: liveId } = template;
      const version =
        liveId === null ? await newestVersion(tenant, tx, id) : await findVersion(tenant, tx, id, liveId);
      if (!version) throw notFound('template');
      return { template, version };
    });
    const { archived_at, current_version_id } = original.template;
    const isLive = archived_at === null && current_version_id !== null;

    const templateId = newId();
    const now = clock.now();
    const author = authorOf(principal.actor);
    const origin = { operation_id: context.operationId, created_by: author, created_at: now };
    const made = {
      template: {
        ...original.template,
        ...origin,
        id: templateId,
        name: body.name,
        description: body.description === undefined ? original.template.description : body.description,
        current_version_id: null,
        current_version_number: null,
        last_version_number: 1,
        activation_count: 0,
        updated_at: now,
        archived_at: null,
      },
      version: {
        ...original.version,
        ...origin,
        id: newId(),
        template_id: templateId,
        version_number: 1,
        note: null,
        first_live_at: null,
      },
    };
    const { template, version } = await insertTemplateOnce(tenant, database, made, {
      // The entity that the version names stays for as long as the original does.
      check: (tx) => needTemplate(tenant, tx, original.template.id),
      record: async (tx, saved) => {
        const subject = { kind: 'template', id: templateId };
        const { name, type } = made.template;
        const changes = { name, type, version_id: made.version.id, duplicate_of: original.template.id };
        await audit(tx, outbox, context, { action: 'template.created', subject, changes, at: now });
        if (!isLive) return;
        const at = await activationMoment(tx);
        await activate(tenant, tx, saved.template, saved.version, {
          id: newId(),
          operation_id: context.operationId,
          activated_by: author,
          source: sourceOf(principal.actor),
          note: null,
          created_at: at,
        });
        await audit(tx, outbox, context, {
          action: 'template.activated',
          subject,
          changes: { version_id: { from: null, to: made.version.id } },
          at,
        });
      },
    });
    // Read again: the activation has changed the row.
    const copy = (await findTemplate(tenant, database, template.id)) ?? template;
    return { ...presentTemplate(copy), version: presentVersion(version, copy.current_version_id) };
  });
