import { type GrowingPage, notFound, type Page, type ProposalStatus, readLogPlace } from '@stanza/contracts';
import { ownerOf, type Queryable, type Tenant, type Transaction } from '@stanza/runtime';
import { In } from 'typeorm';
import type { NamedProposal } from '../domain/proposal.ts';
import type { ProposalRow } from '../domain/proposal-tables.ts';
import type { VersionRow } from '../domain/tables.ts';
import { proposalEntity, templateEntity } from './entities.ts';
import { templateKeys } from './keys.ts';

/** A decision on a proposal. */
export interface Decision {
  status: Exclude<ProposalStatus, 'open'>;
  decided_by: string;
  decided_at: Date;
  /** Why it was declined. */
  reason?: string;
}

/** Reads a proposal of a template. */
export const findProposal = (
  tenant: Tenant,
  db: Queryable,
  templateId: string,
  id: string,
): Promise<ProposalRow | null> =>
  db.orm.findOneBy(proposalEntity, { ...ownerOf(tenant), template_id: templateId, id });

/** Reads the proposal that an operation made. */
export const findProposalMadeBy = (
  tenant: Tenant,
  db: Queryable,
  operationId: string,
): Promise<ProposalRow | null> =>
  db.orm.findOneBy(proposalEntity, { ...ownerOf(tenant), operation_id: operationId });

/** Reads the open proposal of a version. */
export const openProposalOf = (
  tenant: Tenant,
  db: Queryable,
  versionId: string,
): Promise<ProposalRow | null> =>
  db.orm.findOneBy(proposalEntity, { ...ownerOf(tenant), version_id: versionId, status: 'open' });

/**
 * Whether its proposer has taken a proposal back: by withdrawing it, or by what made it out of date.
 * Nobody else ends a proposal in the proposer's name.
 */
const isTakenBack = ({ status, decided_by, proposed_by }: ProposalRow): boolean =>
  (status === 'withdrawn' || status === 'superseded') && decided_by === proposed_by;

/**
 * Who proposes a version, or has proposed it and has not taken that back. Whoever has taken it back is where they were
 * before they proposed: its author all the same where they wrote it, else another person than the author, as everybody
 * who never proposed it. So two people still stand behind what is live, and of two people neither blocks a version for
 * good.
 */
export const proposersOf = async (tenant: Tenant, db: Queryable, versionId: string): Promise<string[]> => {
  const found = await db.orm.find(proposalEntity, {
    where: { ...ownerOf(tenant), version_id: versionId },
  });
  return found.filter((it) => !isTakenBack(it)).map(({ proposed_by }) => proposed_by);
};

/** Saves a proposal; its template must be locked. */
export const insertProposal = async (tx: Transaction, row: ProposalRow): Promise<void> => {
  await tx.orm.insert(proposalEntity, row);
};

/** Decides an open proposal of a locked template. @returns the proposal as it is then */
export const decideProposal = async (
  tenant: Tenant,
  tx: Transaction,
  proposal: ProposalRow,
  decision: Decision,
): Promise<ProposalRow> => {
  await tx.orm.update(proposalEntity, { ...ownerOf(tenant), id: proposal.id }, decision);
  return { ...proposal, ...decision };
};

const decideAll = async (
  tenant: Tenant,
  tx: Transaction,
  open: readonly ProposalRow[],
  decision: Decision,
): Promise<ProposalRow[]> => {
  if (open.length === 0) return [];
  const ids = open.map(({ id }) => id);
  await tx.orm.update(proposalEntity, { ...ownerOf(tenant), id: In(ids) }, decision);
  return open.map((one) => ({ ...one, ...decision }));
};

/**
 * Ends the open proposals that a new live version of a locked template decides: that of the version is accepted, or
 * overtaken where nobody has decided about it, and those of earlier versions are overtaken.
 * @returns the proposals that have ended
 */
export const endOpenProposals = async (
  tenant: Tenant,
  tx: Transaction,
  { id, template_id, version_number }: Pick<VersionRow, 'id' | 'template_id' | 'version_number'>,
  { by: decided_by, at: decided_at, own }: { by: string; at: Date; own: 'accepted' | 'superseded' },
): Promise<ProposalRow[]> => {
  const open = await tx.orm.findBy(proposalEntity, { ...ownerOf(tenant), template_id, status: 'open' });
  const same = open.filter(({ version_id }) => version_id === id);
  const earlier = open.filter((one) => one.version_number < version_number);
  const decided = { decided_by, decided_at };
  return [
    ...(await decideAll(tenant, tx, same, { status: own, ...decided })),
    ...(await decideAll(tenant, tx, earlier, { status: 'superseded', ...decided })),
  ];
};

/**
 * Ends the open proposals of a proposer for a locked template, who proposes another version now.
 * @returns the proposals that have ended
 */
export const supersedeOwn = async (
  tenant: Tenant,
  tx: Transaction,
  { template_id, proposed_by }: Pick<ProposalRow, 'template_id' | 'proposed_by'>,
  at: Date,
): Promise<ProposalRow[]> => {
  const open = await tx.orm.findBy(proposalEntity, {
    ...ownerOf(tenant),
    template_id,
    proposed_by,
    status: 'open',
  });
  return decideAll(tenant, tx, open, { status: 'superseded', decided_by: proposed_by, decided_at: at });
};

/** Gives proposals the names of their templates. */
export const withTemplates = async (
  tenant: Tenant,
  db: Queryable,
  rows: readonly ProposalRow[],
): Promise<NamedProposal[]> => {
  const ids = [...new Set(rows.map(({ template_id }) => template_id))];
  const found = await db.orm.find(templateEntity, {
    select: { organization_id: true, environment: true, id: true, name: true },
    where: { ...ownerOf(tenant), id: In(ids) },
  });
  const named = new Map(
    (await templateKeys.withKeys(tenant, db, found)).map(({ id, name, key }) => [id, { name, key }]),
  );
  return rows.flatMap((row) => {
    const template = named.get(row.template_id);
    return template ? [{ ...row, template_key: template.key, template_name: template.name }] : [];
  });
};

/**
 * Gives a proposal the names of its template.
 * @throws CodedError `template_not_found` when the template was deleted in the meantime
 */
export const namedProposal = async (
  tenant: Tenant,
  db: Queryable,
  row: ProposalRow,
): Promise<NamedProposal> => {
  const [named] = await withTemplates(tenant, db, [row]);
  if (!named) throw notFound('template');
  return named;
};

/** The filters and the page of a list of proposals. */
export interface ProposalQuery extends GrowingPage {
  templateId?: string;
  status?: ProposalStatus | undefined;
}

/** Lists proposals, newest first. */
export const pageOfProposals = async (
  tenant: Tenant,
  tx: Transaction,
  { templateId, status, cursor, limit, offset }: ProposalQuery,
): Promise<Page<NamedProposal>> => {
  const found = tx.orm
    .createQueryBuilder(proposalEntity, 'row')
    .where({
      ...ownerOf(tenant),
      ...(templateId !== undefined && { template_id: templateId }),
      ...(status !== undefined && { status }),
    })
    .orderBy({ 'row.created_at': 'DESC', 'row.id': 'DESC' })
    .take(limit)
    .skip(offset);
  if (cursor !== undefined)
    found.andWhere('(row.created_at, row.id) < (:at, :id)', { ...readLogPlace(cursor) });
  const [rows, total] = await found.getManyAndCount();
  return { items: await withTemplates(tenant, tx, rows), total };
};
