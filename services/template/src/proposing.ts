import { CodedError } from '@stanza/contracts';
import { audit, type Call, newId, ownerOf, type Transaction } from '@stanza/runtime';
import type { Dependencies } from './dependencies.ts';
import { proposalChange, proposerOf } from './domain/proposal.ts';
import type { ProposalRow } from './domain/proposal-tables.ts';
import type { TemplateRow, VersionRow } from './domain/tables.ts';
import { insertProposal, openProposalOf, supersedeOwn } from './store/proposals.ts';

/** The transaction in which a version is proposed, and who does so. The row of the template must be locked. */
export type Proposing = Pick<Call<never>, 'tenant' | 'context' | 'principal'> &
  Pick<Dependencies, 'outbox'> & {
    tx: Transaction;
    template: TemplateRow;
    note: string | null;
    at: Date;
    /** By which a repeat finds the proposal. */
    operationId: string;
  };

/** The open proposal of the version: that of the same proposer is the answer to a request that is made again. */
const openBefore = async (
  { tenant, tx, principal, context }: Proposing,
  version: VersionRow,
): Promise<ProposalRow | null> => {
  const open = await openProposalOf(tenant, tx, version.id);
  if (open === null || open.proposed_by === proposerOf(principal.actor, context.client).proposed_by)
    return open;
  throw new CodedError('already_exists', {
    message: `Version ${version.version_number} is proposed already: by ${open.proposed_by}, with the proposal ${open.id}.`,
  });
};

/** Writes the proposal, which takes the place of an open one of the same proposer. */
const write = async (proposing: Proposing, version: VersionRow): Promise<ProposalRow> => {
  const { tenant, context, principal, outbox, tx, template, note, at } = proposing;
  const made: ProposalRow = {
    ...ownerOf(tenant),
    ...proposerOf(principal.actor, context.client),
    id: newId(),
    template_id: template.id,
    operation_id: proposing.operationId,
    version_id: version.id,
    version_number: version.version_number,
    live_version_id: template.current_version_id,
    live_version_number: template.current_version_number,
    status: 'open',
    note,
    created_at: at,
    decided_by: null,
    decided_at: null,
    reason: null,
  };
  for (const ended of await supersedeOwn(tenant, tx, made, at)) {
    await audit(tx, outbox, context, proposalChange(ended, at));
  }
  await insertProposal(tx, made);
  await audit(tx, outbox, context, proposalChange(made, at));
  return made;
};

/** Proposes to make a version live, unless the same proposer has done so. */
export const proposed = async (proposing: Proposing, version: VersionRow): Promise<ProposalRow> =>
  (await openBefore(proposing, version)) ?? (await write(proposing, version));
