import {
  CodedError,
  type InputOf,
  notFound,
  proposeTemplateVersion as operation,
  type TemplateProposal,
} from '@stanza/contracts';
import { type Allowance, audit, type Call, handle, newId, ownerOf, type Transaction } from '@stanza/runtime';
import { checkedVersion } from '../checked-blocks.ts';
import type { Dependencies } from '../dependencies.ts';
import { presentProposal, proposalChange, proposerOf } from '../domain/proposal.ts';
import type { ProposalRow } from '../domain/proposal-tables.ts';
import type { TemplateRow, VersionContent, VersionRow } from '../domain/tables.ts';
import { namedEntityId, needEntity } from '../references.ts';
import { appendVersion } from '../store/authoring.ts';
import {
  findProposalMadeBy,
  insertProposal,
  namedProposal,
  openProposalOf,
  supersedeOwn,
} from '../store/proposals.ts';
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
  const { tenant, context, principal, outbox, tx, template, body, at } = proposing;
  const made: ProposalRow = {
    ...ownerOf(tenant),
    ...proposerOf(principal.actor, context.client),
    id: newId(),
    template_id: template.id,
    operation_id: context.operationId,
    version_id: version.id,
    version_number: version.version_number,
    live_version_id: template.current_version_id,
    live_version_number: template.current_version_number,
    status: 'open',
    note: body.note ?? null,
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
      return present((await openBefore(proposing, version)) ?? (await write(proposing, version)));
    };
    return database.transaction((tx) => withinStoredBytes(tenant, tx, allowance, () => propose(tx)));
  });
