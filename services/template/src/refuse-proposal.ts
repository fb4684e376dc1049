import { authorOf, notFound, type Principal, type TemplateProposal } from '@stanza/contracts';
import { audit, type CallContext, type Tenant } from '@stanza/runtime';
import type { WriteDependencies } from './dependencies.ts';
import { needsDecision, presentProposal, proposalChange } from './domain/proposal.ts';
import type { ProposalRow } from './domain/proposal-tables.ts';
import { neededProposal } from './needed-proposal.ts';
import { decideProposal, namedProposal } from './store/proposals.ts';
import { lockTemplate } from './store/templates.ts';

/** A decision that leaves live what is. */
export interface Refusal {
  params: { id: string; proposal_id: string };
  status: 'declined' | 'withdrawn';
  reason?: string;
  /** Whatever the caller must be for this. */
  check?: (proposal: ProposalRow) => void | Promise<void>;
}

/**
 * Ends an open proposal without making anything live; decided so before, it stays as it is.
 * @throws CodedError `template_not_found`, `not_found`, `invalid_state` where it was decided otherwise
 */
export const refuseProposal = (
  { database, outbox, clock }: WriteDependencies,
  { tenant, context, principal }: { tenant: Tenant; context: CallContext; principal: Principal },
  { params, status, reason, check }: Refusal,
): Promise<TemplateProposal> =>
  database.transaction(async (tx) => {
    const template = await lockTemplate(tenant, tx, params.id);
    if (!template) throw notFound('template');
    const proposal = await neededProposal(tenant, tx, params);
    await check?.(proposal);
    if (!needsDecision(proposal, status)) return presentProposal(await namedProposal(tenant, tx, proposal));
    const at = clock.now();
    const decided = await decideProposal(tenant, tx, proposal, {
      status,
      decided_by: authorOf(principal.actor),
      decided_at: at,
      ...(reason !== undefined && { reason }),
    });
    await audit(tx, outbox, context, proposalChange(decided, at));
    return presentProposal(await namedProposal(tenant, tx, decided));
  });
