import { notFound } from '@stanza/contracts';
import type { Queryable, Tenant } from '@stanza/runtime';
import type { ProposalRow } from './domain/proposal-tables.ts';
import { findProposal } from './store/proposals.ts';

/**
 * The proposal that the path of a request names.
 * @throws CodedError `not_found`
 */
export const neededProposal = async (
  tenant: Tenant,
  db: Queryable,
  { id, proposal_id }: { id: string; proposal_id: string },
): Promise<ProposalRow> => {
  const found = await findProposal(tenant, db, id, proposal_id);
  if (!found) throw notFound('proposal');
  return found;
};
