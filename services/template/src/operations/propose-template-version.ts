import {
  CodedError,
  type InputOf,
  notFound,
  proposeTemplateVersion as operation,
  type TemplateProposal,
} from '@stanza/contracts';
import { type Allowance, audit, type Call, handle, newId, type Transaction } from '@stanza/runtime';
import { checkedVersion } from '../checked-blocks.ts';
import type { Dependencies } from '../dependencies.ts';
import { presentProposal, proposerOf } from '../domain/proposal.ts';
import type { ProposalRow } from '../domain/proposal-tables.ts';
import type { TemplateRow, VersionContent, VersionRow } from '../domain/tables.ts';
import { proposed } from '../proposing.ts';
import { namedEntityId, needEntity } from '../references.ts';
import { appendVersion } from '../store/authoring.ts';
import { findProposalMadeBy, namedProposal } from '../store/proposals.ts';
import { withinStoredBytes } from '../store/stored-bytes.ts';
import { findTemplate, lockTemplate } from '../store/templates.ts';
import { findVersion } from '../store/versions.ts';

type Body = InputOf<typeof operation>['body'];

type Proposing = Pick<Call<typeof operation>, 'tenant' | 'context' | 'principal'> &
  Pick<Dependencies, 'outbox'> & {
    tx: Transaction;
    allowance: Allowance;
    template: TemplateRow;
    body: Body;
    at: Date;
  };

/** The version that is proposed: the one that is named, or the next one with the blocks. */
const versionFor = async (
  { tenant, context, principal, outbox, tx, allowance, template, body, at }: Proposing,
  content: VersionContent | null,
): Promise<VersionRow> => {
  if (content === null) {
    const found = await findVersion(tenant, tx, template.id, body.version_id ?? '');
    if (!found) throw notFound('version');
    return found;
  }
  const entity_id = (await namedEntityId(tenant, tx, body)) ?? null;
  await needEntity(tenant, tx, entity_id);
  const appended = await appendVersion(tenant, tx, allowance, {
    ...content,
    id: newId(),
    template_id: template.id,
    operation_id: context.operationId,
    entity_id,
    note: body.note ?? null,
    created_by: proposerOf(principal.actor, context.client).proposed_by,
    created_at: at,
  });
  if (!appended) throw notFound('template');
  const { id: version_id, version_number } = appended.version;
  await audit(tx, outbox, context, {
    action: 'template.version_added',
    subject: { kind: 'template', id: template.id },
    changes: { version_id, version_number },
    at,
  });
  return appended.version;
};

const refused = (message: string): CodedError => new CodedError('invalid_state', { message });

/** Proposes to make a version live; a repeat of the operation answers what it made. */
export const proposeTemplateVersion = ({ database, outbox, rpc, clock, allowances }: Dependencies) =>
  handle(operation, async ({ input: { params, body }, context, principal, tenant }) => {
    const found = await findTemplate(tenant, database, params.id);
    if (!found) throw notFound('template');
    const { blocks, sample_data } = body;
    const content =
      blocks === undefined
        ? null
        : await checkedVersion({ database, rpc }, context, tenant, { blocks, sample_data, template: found });

    const allowance = await allowances.of(tenant.organizationId);
    const propose = async (tx: Transaction): Promise<TemplateProposal> => {
      const template = await lockTemplate(tenant, tx, params.id);
      if (!template) throw notFound('template');
      const present = async (row: ProposalRow) => presentProposal(await namedProposal(tenant, tx, row));
      const before = await findProposalMadeBy(tenant, tx, context.operationId);
      if (before) return present(before);
      if (template.archived_at !== null) {
        throw refused('The template is archived; unarchive it before you propose a version.');
      }
      const at = clock.now();
      const proposing = { tenant, context, principal, outbox, tx, allowance, template, body, at };
      const version = await versionFor(proposing, content);
      if (version.id === template.current_version_id) {
        throw refused(`Version ${version.version_number} is live already.`);
      }
      const { operationId } = context;
      const note = body.note ?? null;
      return present(await proposed({ ...proposing, note, operationId }, version));
    };
    return database.transaction((tx) => withinStoredBytes(tenant, tx, allowance, () => propose(tx)));
  });
