import { type Actor, authorOf } from '@stanza/contracts';
import { type AuditedChange, newId, type Outbox, type Tenant, type Transaction } from '@stanza/runtime';
import type { ReadActivationRights } from './domain/activation-rights.ts';
import { authorsOfAppearance } from './domain/appearance.ts';
import { sourceOf } from './domain/author.ts';
import { needsModals } from './domain/deletion.ts';
import { proposalChange } from './domain/proposal.ts';
import type { TemplateRow, VersionRow } from './domain/tables.ts';
import { emitActivation } from './emit-activation.ts';
import { needRightsToVersion } from './rights-to-version.ts';
import { activate, activationMoment, type NewActivation } from './store/activations.ts';
import { holdModalsOpenedBy } from './store/modal-references.ts';
import { endOpenProposals } from './store/proposals.ts';
import { changeTemplate } from './store/templates.ts';
import { findVersion } from './store/versions.ts';

/** The transaction in which a version is made live, and who does so. */
export interface Activating {
  tenant: Tenant;
  tx: Transaction;
  outbox: Outbox;
  actor: Actor;
  /** Reads what the policies of the organization let the actor do. */
  readRights: ReadActivationRights;
  operationId: string;
  note: string | null;
  /** Set where a proposal of the version is accepted, and not merely its version made live. */
  accepts?: true;
  /** Records a change for the audit log. */
  record: (change: AuditedChange) => Promise<void>;
}

/**
 * Ends the open proposals that a live version decides. A person who makes a version live has accepted its proposal; a
 * program that does so may not know of it, so the proposal is overtaken like those of earlier versions.
 */
export const concludeProposals = async (
  { tenant, tx, actor, accepts, record }: Activating,
  version: VersionRow,
  at: Date,
): Promise<void> => {
  const own = accepts || actor.type === 'session' ? 'accepted' : 'superseded';
  for (const proposal of await endOpenProposals(tenant, tx, version, { by: authorOf(actor), at, own })) {
    await record(proposalChange(proposal, at));
  }
};

/**
 * Makes a version live: the only way to do so. The row of the template must be locked; proposals that
 * it decides end.
 * @param template as it was before
 * @throws CodedError `activation_refused` where the policy of the organization does not let the actor, `invalid_state` where
 * a modal that the version opens is gone
 */
export const makeLive = async (
  activating: Activating,
  template: TemplateRow,
  version: VersionRow,
): Promise<void> => {
  const { tenant, tx, outbox, actor, readRights, operationId, note, record } = activating;
  const rights = await readRights();
  const settingsAuthors = template.current_version_id === null ? authorsOfAppearance(template) : [];
  await needRightsToVersion(tenant, tx, rights, version, settingsAuthors);
  needsModals(await holdModalsOpenedBy(tenant, tx, version.id));
  const before =
    template.current_version_id && (await findVersion(tenant, tx, template.id, template.current_version_id));
  const at = await activationMoment(tx);
  const made: NewActivation = {
    id: newId(),
    operation_id: operationId,
    activated_by: authorOf(actor),
    source: sourceOf(actor),
    note,
    created_at: at,
  };
  await activate(tenant, tx, template, version, made);
  const isSeen = settingsAuthors.length > 0 && !settingsAuthors.includes(made.activated_by);
  if (isSeen) await changeTemplate(tenant, tx, template.id, { settings_authors: [] });
  await emitActivation(tx, outbox, template, version, made);
  await record({
    action: `${template.kind}.activated`,
    subject: { kind: template.kind, id: template.id },
    changes: {
      version_id: { from: template.current_version_id, to: version.id },
      version_number: { from: before ? before.version_number : null, to: version.version_number },
    },
    at,
  });
  await concludeProposals(activating, version, at);
};
