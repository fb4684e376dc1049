import { authorOf, notFound, activateTemplateVersion as operation } from '@stanza/contracts';
import { audit, type Database, handle, newId, type Tenant } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { needsActivation } from '../domain/activation.ts';
import { sourceOf } from '../domain/author.ts';
import { presentVersion } from '../domain/present-template.ts';
import { guardActivation } from '../guard-activation.ts';
import { activate, activationMoment, hasActivated, type NewActivation } from '../store/activations.ts';
import { findTemplate, lockTemplate } from '../store/templates.ts';
import { findVersion } from '../store/versions.ts';
import { tellActivation } from '../tell-activation.ts';

/** A version that is asked to become the live one. */
interface Asked {
  id: string;
  version_id: string;
  expected: string | null | undefined;
}

/**
 * Whether an activation is still to be made. Whatever refuses it without measuring its impact comes first.
 * @throws CodedError `template_not_found`, `version_not_found`, and those of {@link needsActivation}
 */
const isPending = async (
  database: Database,
  tenant: Tenant,
  operationId: string,
  { id, version_id, expected }: Asked,
): Promise<boolean> => {
  const template = await findTemplate(tenant, database, id);
  if (!template) throw notFound('template');
  const version = await findVersion(tenant, database, template.id, version_id);
  if (!version) throw notFound('version');
  // The first run of a repeated request has been checked.
  if (await hasActivated(tenant, database, operationId)) return false;
  return needsActivation(template, version.id, expected);
};

/** Makes a version the live one and logs the change; compiles that start after the answer use it. */
export const activateTemplateVersion = ({
  database,
  outbox,
  rpc,
}: Pick<Dependencies, 'database' | 'outbox' | 'rpc'>) =>
  handle(operation, async ({ input: { params, body }, context, principal, tenant }) => {
    const { accept_breaks: accept, expected_current_version_id: expected } = body;
    const { id: template_id, version_id } = params;
    const asked = { id: template_id, version_id, expected };
    if (accept !== true && (await isPending(database, tenant, context.operationId, asked))) {
      await guardActivation(rpc, context, tenant, { template_id, version_id, accept });
    }
    return database.transaction(async (tx) => {
      const template = await lockTemplate(tenant, tx, params.id);
      if (!template) throw notFound('template');
      const version = await findVersion(tenant, tx, template.id, params.version_id);
      if (!version) throw notFound('version');
      const asNow = () => presentVersion(version, template.current_version_id);

      // In a repeat of the operation, the caller's expectation has been checked already.
      if (await hasActivated(tenant, tx, context.operationId)) return asNow();
      if (!needsActivation(template, version.id, expected)) return asNow();

      const at = await activationMoment(tx);
      const made: NewActivation = {
        id: newId(),
        operation_id: context.operationId,
        activated_by: authorOf(principal.actor),
        source: sourceOf(principal.actor),
        note: body.note ?? null,
        created_at: at,
      };
      await activate(tenant, tx, template, version, made);
      await tellActivation(tx, outbox, template, version, made);
      await audit(tx, outbox, context, {
        action: 'template.activated',
        subject: { kind: 'template', id: template.id },
        changes: { version_id: { from: template.current_version_id, to: version.id } },
        at,
      });
      return presentVersion(version, version.id);
    });
  });
