import { CodedError, notFound, acceptTemplateProposal as operation } from '@stanza/contracts';
import { type AuditedChange, audit, handle } from '@stanza/runtime';
import { needSoundVersion } from '../checked-blocks.ts';
import type { Dependencies } from '../dependencies.ts';
import { needsActivation } from '../domain/activation.ts';
import { needsDecision, presentProposal } from '../domain/proposal.ts';
import type { ProposalRow } from '../domain/proposal-tables.ts';
import type { TemplateRow } from '../domain/tables.ts';
import { guardActivation } from '../guard-activation.ts';
import { concludeProposals, makeLive } from '../make-live.ts';
import { neededProposal } from '../needed-proposal.ts';
import { activationRightsOf } from '../read-activation-rights.ts';
import { namedProposal } from '../store/proposals.ts';
import { atOneMoment } from '../store/snapshot.ts';
import { findTemplate, lockTemplate } from '../store/templates.ts';
import { findVersion } from '../store/versions.ts';

/**
 * Decides whether the version of an open proposal is still to be made live. Whoever accepts has looked at the difference
 * to what was live when it was proposed, unless they name another version.
 * @returns false when the version is live already
 * @throws CodedError `current_version_changed`, and those of {@link needsActivation}
 */
const isPending = (
  template: TemplateRow,
  { version_id, live_version_id: live }: ProposalRow,
  expected: string | null | undefined,
): boolean => {
  const { current_version_id: current } = template;
  const isMissing = needsActivation(template, version_id, expected);
  if (!isMissing || expected !== undefined || current === live) return isMissing;
  throw new CodedError('current_version_changed', {
    message: `The live version is ${current ?? 'none'}, and was ${live ?? 'none'} when this was proposed: compare the proposed version with it, and accept with expected_current_version_id: ${JSON.stringify(current)}.`,
  });
};

/** Makes the version of a proposal the live one. */
export const acceptTemplateProposal = ({ database, outbox, rpc, clock }: Dependencies) =>
  handle(operation, async ({ input: { params, body }, context, principal, tenant }) => {
    const { accept_breaks: accept, expected_current_version_id: expected } = body;
    const found = await findTemplate(tenant, database, params.id);
    if (!found) throw notFound('template');
    const asked = await neededProposal(tenant, database, params);
    const { template_id, version_id } = asked;
    if (!needsDecision(asked, 'accepted')) {
      return atOneMoment(database, async (tx) => presentProposal(await namedProposal(tenant, tx, asked)));
    }
    const pending = isPending(found, asked, expected);
    const readRights = activationRightsOf(rpc, context, principal, 'templates:activate', 'template');
    const rights = await readRights();
    rights.need([asked.proposed_by]);
    const proposed = await findVersion(tenant, database, template_id, version_id);
    if (!proposed) throw notFound('version');
    if (pending)
      await needSoundVersion({ database, rpc }, context, tenant, { template: found, version: proposed });
    await guardActivation(rpc, context, tenant, { template_id, version_id, accept, rights });

    return database.transaction(async (tx) => {
      const template = await lockTemplate(tenant, tx, template_id);
      if (!template) throw notFound('template');
      const proposal = await neededProposal(tenant, tx, params);
      if (needsDecision(proposal, 'accepted')) {
        const version = await findVersion(tenant, tx, template.id, version_id);
        if (!version) throw notFound('version');
        const record = (change: AuditedChange) => audit(tx, outbox, context, change);
        const note = body.note ?? proposal.note;
        const { actor } = principal;
        const { operationId } = context;
        const accepts = true as const;
        const activating = { tenant, tx, outbox, actor, readRights, operationId, note, accepts, record };
        if (isPending(template, proposal, expected)) await makeLive(activating, template, version);
        // A process of the previous version has made it live, and knows no proposals.
        else await concludeProposals(activating, version, clock.now());
      }
      const decided = await neededProposal(tenant, tx, params);
      return presentProposal(await namedProposal(tenant, tx, decided));
    });
  });
