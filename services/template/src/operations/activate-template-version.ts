import { notFound, activateTemplateVersion as operation } from '@stanza/contracts';
import { audit, handle, newId } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { needsActivation } from '../domain/activation.ts';
import { authorOf, sourceOf } from '../domain/author.ts';
import { presentVersion } from '../domain/present-template.ts';
import { activate, activationMoment, hasActivated } from '../store/activations.ts';
import { lockTemplate } from '../store/templates.ts';
import { findVersion } from '../store/versions.ts';

/** Makes a version the live one and logs the change; compiles that start after the answer use it. */
export const activateTemplateVersion = ({ database, outbox }: Pick<Dependencies, 'database' | 'outbox'>) =>
  handle(operation, ({ input: { params, body }, context, principal, tenant }) =>
    database.transaction(async (tx) => {
      const template = await lockTemplate(tenant, tx, params.id);
      if (!template) throw notFound('template');
      const version = await findVersion(tenant, tx, template.id, params.version_id);
      if (!version) throw notFound('version');
      const asNow = () => presentVersion(version, template.current_version_id);

      // Asked a second time by the same operation, what the caller expected has been checked the first time.
      if (await hasActivated(tenant, tx, context.operationId)) return asNow();
      if (!needsActivation(template, version.id, body.expected_current_version_id)) return asNow();

      const at = await activationMoment(tx);
      await activate(tenant, tx, template, version, {
        id: newId(),
        operation_id: context.operationId,
        activated_by: authorOf(principal.actor),
        source: sourceOf(principal.actor),
        note: body.note ?? null,
        created_at: at,
      });
      await audit(tx, outbox, context, {
        action: 'template.activated',
        subject: { kind: 'template', id: template.id },
        changes: { version_id: { from: template.current_version_id, to: version.id } },
        at,
      });
      return presentVersion(version, version.id);
    }),
  );
