import { type Block, type GrowingPage, numberOfPlace, type Page } from '@stanza/contracts';
import { ownerOf, type Queryable, statement, type Tenant, type Transaction } from '@stanza/runtime';
import { LessThan } from 'typeorm';
import type { VersionFacts, VersionRow } from '../domain/tables.ts';
import { versionEntity } from './entities.ts';
import { versionFacts } from './newest-versions.ts';

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
    select: versionFacts,
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
