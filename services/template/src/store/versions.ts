import { type Block, type GrowingPage, numberOfPlace, type Page } from '@stanza/contracts';
import { ownerOf, type Queryable, statement, type Tenant, type Transaction } from '@stanza/runtime';
import { LessThan } from 'typeorm';
import type { TemplateRow, VersionFacts, VersionRow } from '../domain/tables.ts';
import { versionEntity } from './entities.ts';

/** Reads a version of a template. */
export const findVersion = (
  tenant: Tenant,
  db: Queryable,
  templateId: string,
  id: string,
): Promise<VersionRow | null> =>
  db.orm.findOneBy(versionEntity, { ...ownerOf(tenant), template_id: templateId, id });

/** Reads the newest version of a template. */
export const newestVersion = (
  tenant: Tenant,
  db: Queryable,
  templateId: string,
): Promise<VersionRow | null> =>
  db.orm.findOne(versionEntity, {
    where: { ...ownerOf(tenant), template_id: templateId },
    order: { version_number: 'DESC' },
  });

const facts = {
  organization_id: true,
  environment: true,
  id: true,
  template_id: true,
  operation_id: true,
  version_number: true,
  entity_id: true,
  note: true,
  created_by: true,
  authors: true,
  created_at: true,
  first_live_at: true,
} as const satisfies Record<keyof VersionFacts, true>;

/** Adds the newest version of each to templates, without its content. */
export const withNewest = async <T extends TemplateRow>(
  tenant: Tenant,
  tx: Transaction,
  rows: readonly T[],
): Promise<(T & { newest: VersionFacts | undefined })[]> => {
  const found = await tx.orm
    .createQueryBuilder(versionEntity, 'version')
    .select(Object.keys(facts).map((column) => `version.${column}`))
    .innerJoin(
      'templates',
      'template',
      `template.organization_id = version.organization_id
        and template.environment = version.environment
        and template.id = version.template_id
        and template.last_version_number = version.version_number`,
    )
    .where(ownerOf(tenant))
    .andWhere('version.template_id = any(:ids)', { ids: rows.map(({ id }) => id) })
    .getMany();
  const newest = new Map(found.map((version) => [version.template_id, version]));
  return rows.map((row) => ({ ...row, newest: newest.get(row.id) }));
};

/** Stores when a version first became live. */
export const markFirstLive = async (tenant: Tenant, tx: Transaction, id: string, at: Date): Promise<void> => {
  await tx.orm.update(versionEntity, { ...ownerOf(tenant), id }, { first_live_at: at });
};

/** Lists the versions of a template, newest first, without their content. */
export const pageOfVersions = async (
  tenant: Tenant,
  tx: Transaction,
  templateId: string,
  { cursor, limit, offset }: GrowingPage,
): Promise<Page<VersionFacts>> => {
  const [items, total] = await tx.orm.findAndCount(versionEntity, {
    select: facts,
    where: {
      ...ownerOf(tenant),
      template_id: templateId,
      ...(cursor !== undefined && { version_number: LessThan(numberOfPlace(cursor)) }),
    },
    order: { version_number: 'DESC' },
    take: limit,
    skip: offset,
  });
  return { items, total };
};

const contentOf = statement<{ blocks: Block[] }>(
  'version-content',
  `select blocks
   from versions
   where organization_id = $1
     and environment = $2
     and id = $3`,
);

/** Reads the blocks of a version, of any template of the tenant. */
export const readBlocks = async (tenant: Tenant, db: Queryable, id: string): Promise<Block[] | undefined> => {
  const [row] = await db.query(contentOf, [tenant.organizationId, tenant.environment, id]);
  return row?.blocks;
};
