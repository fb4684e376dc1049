import {
  type Actor,
  agentOf,
  authorOf,
  type Client,
  CodedError,
  type ProposalSource,
  type TemplateProposal,
} from '@stanza/contracts';
import type { AuditedChange } from '@stanza/runtime';
import type { ProposalRow } from './proposal-tables.ts';

/** A proposal with the names of its template. */
export type NamedProposal = ProposalRow & { template_key: string; template_name: string };

/** Who proposes, and through what. */
export type Proposer = Pick<ProposalRow, 'proposed_by' | 'key_id' | 'source' | 'agent'>;

const sourceOf = (actor: Actor, isAgent: boolean): ProposalSource => {
  if (isAgent) return 'mcp';
  return actor.type === 'session' ? 'web' : 'api';
};

/** Who proposes, by the caller and the client of the request. */
export const proposerOf = (actor: Actor, client: Client | undefined): Proposer => {
  const agent = agentOf(client?.user_agent ?? null);
  return {
    proposed_by: authorOf(actor),
    key_id: actor.type === 'api_key' ? actor.id : null,
    source: sourceOf(actor, agent !== null),
    agent: agent?.name ?? null,
  };
};

/**
 * Checks that a proposal can still be decided as a request asks.
 * @returns false where it was decided so before
 * @throws CodedError `invalid_state` where it was decided otherwise
 */
export const needsDecision = (
  { status, decided_by }: Pick<ProposalRow, 'status' | 'decided_by'>,
  wanted: 'accepted' | 'declined' | 'withdrawn',
): boolean => {
  if (status === 'open') return true;
  if (status === wanted) return false;
  throw new CodedError('invalid_state', {
    message: `The proposal was ${status} by ${decided_by}; propose the version again to have it decided anew.`,
  });
};

/** What the audit log says once a proposal was made or decided. */
export const proposalChange = (
  { id, status, template_id, version_id, note, reason }: ProposalRow,
  at: Date,
): AuditedChange => ({
  action: `template_proposal.${status === 'open' ? 'created' : status}`,
  subject: { kind: 'template_proposal', id },
  changes: {
    template_id,
    version_id,
    ...(status === 'open' && note !== null && { note }),
    ...(reason !== null && { reason }),
  },
  at,
});

/** A proposal as the API shows it. */
export const presentProposal = (row: NamedProposal): TemplateProposal => ({
  id: row.id,
  template_id: row.template_id,
  template_key: row.template_key,
  template_name: row.template_name,
  version_id: row.version_id,
  version_number: row.version_number,
  live_version_id: row.live_version_id,
  live_version_number: row.live_version_number,
  status: row.status,
  note: row.note,
  proposed_by: row.proposed_by,
  key_id: row.key_id,
  source: row.source,
  agent: row.agent,
  created_at: row.created_at.toISOString(),
  decided_by: row.decided_by,
  decided_at: row.decided_at?.toISOString() ?? null,
  reason: row.reason,
});
