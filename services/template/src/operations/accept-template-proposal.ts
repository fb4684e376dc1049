import { notFound, acceptTemplateProposal as operation } from '@stanza/contracts';
import { type AuditedChange, audit, handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { needsActivation } from '../domain/activation.ts';
import { needsDecision, presentProposal } from '../domain/proposal.ts';
import { guardActivation } from '../guard-activation.ts';
import { concludeProposals, makeLive } from '../make-live.ts';
import { neededProposal } from '../needed-proposal.ts';
import { readActivationRights } from '../read-activation-rights.ts';
import { namedProposal } from '../store/proposals.ts';
import { findTemplate, lockTemplate } from '../store/templates.ts';
import { findVersion } from '../store/versions.ts';

/** Makes the version of a proposal the live one. */
export const acceptTemplateProposal = ({ database, outbox, rpc, clock }: Dependencies) =>
  handle(operation, async ({ input: { params, body }, context, principal, tenant }) => {
    const { accept_breaks: accept, expected_current_version_id: expected } = body;
    const found = await findTemplate(tenant, database, params.id);
    if (!found) throw notFound('template');
    const asked = await neededProposal(tenant, database, params);
    const { template_id, version_id } = asked;
    if (!needsDecision(asked, 'accepted')) {
      return presentProposal(await namedProposal(tenant, database, asked));
    }
    needsActivation(found, version_id, expected);
    const rights = await readActivationRights(rpc, context, principal);
    rights.need([asked.proposed_by]);
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
        const activating = { tenant, tx, outbox, actor, rights, operationId, note, record };
        if (needsActivation(template, version_id, expected)) await makeLive(activating, template, version);
        // A process of the version before has made it live, and knows no proposals.
        else await concludeProposals(activating, version, clock.now());
      }
      const decided = await neededProposal(tenant, tx, params);
      return presentProposal(await namedProposal(tenant, tx, decided));
    });
  });
