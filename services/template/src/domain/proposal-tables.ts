import type { ProposalSource, ProposalStatus } from '@stanza/contracts';
import {
  check,
  integer,
  nullable,
  ofTenant,
  partOf,
  type RowOf,
  table,
  tenant,
  text,
  timestamp,
  uuid,
} from '@stanza/runtime/table';

/**
 * A version that someone proposes to make live; versions are deleted with their template alone, so that their ids
 * need no foreign key.
 */
export const templateProposals = table('template_proposals', {
  columns: {
    ...tenant,
    id: uuid(),
    template_id: uuid(),
    operation_id: uuid(),
    version_id: uuid(),
    version_number: integer(),
    /** The version that was live when this one was proposed. */
    live_version_id: nullable(uuid()),
    live_version_number: nullable(integer()),
    status: text<ProposalStatus>(),
    note: nullable(text()),
    proposed_by: text(),
    /** The key that proposed; null where a person did. */
    key_id: nullable(uuid()),
    source: text<ProposalSource>(),
    /** What the agent calls itself. */
    agent: nullable(text()),
    created_at: timestamp(),
    decided_by: nullable(text()),
    decided_at: nullable(timestamp()),
    reason: nullable(text()),
  },
  primaryKey: { name: 'template_proposals_pk', columns: ofTenant('id') },
  uniques: [{ name: 'template_proposals_operation', columns: ofTenant('operation_id') }],
  indices: [
    {
      name: 'template_proposals_open',
      columns: ofTenant('version_id'),
      unique: true,
      where: "status = 'open'",
    },
    { name: 'template_proposals_of_template', columns: ofTenant('template_id', 'created_at', 'id') },
    { name: 'template_proposals_created_at', columns: ofTenant('created_at', 'id') },
  ],
  checks: [
    check(
      'template_proposals_status',
      "status in ('open', 'accepted', 'declined', 'withdrawn', 'superseded')",
    ),
    check('template_proposals_source', "source in ('web', 'api', 'mcp')"),
    check('template_proposals_decided', "(status = 'open') = (decided_at is null)"),
  ],
  foreignKeys: [partOf('templates', 'template_proposals_template', 'template_id')],
});

/** A row of {@link templateProposals}. */
export type ProposalRow = RowOf<typeof templateProposals>;
