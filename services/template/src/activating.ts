import {
  type activatePartialVersion,
  type activateTemplateVersion,
  notFound,
  type ReplyOf,
} from '@stanza/contracts';
import { type AuditedChange, audit, type Database, handle, type Tenant } from '@stanza/runtime';
import { needSoundVersion } from './checked-blocks.ts';
import type { Dependencies } from './dependencies.ts';
import { needsActivation } from './domain/activation.ts';
import type { TemplateKind, TemplateRow, VersionRow } from './domain/tables.ts';
import { guardActivation } from './guard-activation.ts';
import { makeLive } from './make-live.ts';
import { activationRightsOf } from './read-activation-rights.ts';
import { hasActivated } from './store/activations.ts';
import { findTemplate, lockTemplate } from './store/templates.ts';
import { findVersion } from './store/versions.ts';

type Activation = typeof activateTemplateVersion | typeof activatePartialVersion;

/** A version that is asked to become the live one. */
interface Asked {
  id: string;
  version_id: string;
  expected: string | null | undefined;
  kind: TemplateKind;
}

/**
 * The version whose activation is still to be made. Whatever refuses it without measuring its impact comes first.
 * @throws CodedError `template_not_found` or `partial_not_found`, `version_not_found`, and those of {@link needsActivation}
 */
const pendingVersion = async (
  database: Database,
  tenant: Tenant,
  operationId: string,
  { id, version_id, expected, kind }: Asked,
): Promise<{ template: TemplateRow; version: VersionRow } | undefined> => {
  const template = await findTemplate(tenant, database, id, kind);
  if (!template) throw notFound(kind);
  const version = await findVersion(tenant, database, template.id, version_id);
  if (!version) throw notFound('version');
  // The first run of a repeated request has been checked.
  if (await hasActivated(tenant, database, operationId)) return undefined;
  return needsActivation(template, version.id, expected) ? { template, version } : undefined;
};

/**
 * Makes a version of a template or of a partial the live one and logs the change. No stored data breaks with a partial:
 * templates keep the version that they hold.
 */
export const activating = (
  operation: Activation,
  kind: TemplateKind,
  present: (version: VersionRow, currentVersionId: string | null) => ReplyOf<Activation>,
  { database, outbox, rpc }: Pick<Dependencies, 'database' | 'outbox' | 'rpc'>,
) =>
  handle(operation, async ({ input: { params, body }, context, principal, tenant }) => {
    const { expected_current_version_id: expected } = body;
    const { id: template_id, version_id } = params;
    const { operationId } = context;
    const asked = { id: template_id, version_id, expected, kind };
    const pending = await pendingVersion(database, tenant, operationId, asked);
    const readRights = activationRightsOf(rpc, context, principal, 'templates:activate', kind);
    if (pending) {
      const rights = await readRights();
      rights.needPerson();
      await needSoundVersion({ database, rpc }, context, tenant, pending);
      if (kind === 'template') {
        const accept = 'accept_breaks' in body ? body.accept_breaks : undefined;
        await guardActivation(rpc, context, tenant, { template_id, version_id, accept, rights });
      }
    }
    return database.transaction(async (tx) => {
      const template = await lockTemplate(tenant, tx, params.id, kind);
      if (!template) throw notFound(kind);
      const version = await findVersion(tenant, tx, template.id, params.version_id);
      if (!version) throw notFound('version');
      const asNow = () => present(version, template.current_version_id);

      // In a repeat of the operation, the caller's expectation has been checked already.
      if (await hasActivated(tenant, tx, operationId)) return asNow();
      if (!needsActivation(template, version.id, expected)) return asNow();

      const { actor } = principal;
      const record = (change: AuditedChange) => audit(tx, outbox, context, change);
      const note = body.note ?? null;
      const activating = { tenant, tx, outbox, actor, readRights, operationId, note, record };
      await makeLive(activating, template, version);
      return present(version, version.id);
    });
  });
