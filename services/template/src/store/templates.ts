import type { InputOf, listTemplates, Page } from '@stanza/contracts';
import type { Database, Queryable, Tenant, Transaction } from '@stanza/runtime';
import type { TemplateRow } from '../domain/rows.ts';
import { templateEntity } from './entities.ts';
import { ownerOf } from './owner.ts';
import { containing } from './pattern.ts';
import { atOneMoment } from './snapshot.ts';

/** The filters, order and page of a list of templates. */
export type TemplateQuery = InputOf<typeof listTemplates>['query'];

/** Reads a template. */
export const findTemplate = (tenant: Tenant, db: Queryable, id: string): Promise<TemplateRow | null> =>
  db.orm.findOneBy(templateEntity, { ...ownerOf(tenant), id });

/** Reads a template and keeps everybody else from changing it until the transaction ends. */
export const lockTemplate = (tenant: Tenant, tx: Transaction, id: string): Promise<TemplateRow | null> =>
  tx.orm.findOne(templateEntity, {
    where: { ...ownerOf(tenant), id },
    lock: { mode: 'pessimistic_write' },
  });

/** Changes columns of a template. */
export const updateTemplate = async (
  tenant: Tenant,
  tx: Transaction,
  id: string,
  changes: Partial<TemplateRow>,
): Promise<void> => {
  await tx.orm.update(templateEntity, { ...ownerOf(tenant), id }, changes);
};

/** A name in lower case by the rules of Unicode: the database's own collation may know the letters of ASCII alone. */
const folded = (name: string): string => `lower(${name} collate "und-x-icu")`;

const byName = folded('template.name');

const orders = {
  created_at: ['template.created_at', 'ASC'],
  '-created_at': ['template.created_at', 'DESC'],
  updated_at: ['template.updated_at', 'ASC'],
  '-updated_at': ['template.updated_at', 'DESC'],
  name: [byName, 'ASC'],
  '-name': [byName, 'DESC'],
} as const satisfies Record<TemplateQuery['sort'], readonly [string, 'ASC' | 'DESC']>;

/** Lists templates; page and total are of the same moment. */
export const pageOfTemplates = (
  tenant: Tenant,
  database: Database,
  { lifecycle, type, q, sort, limit, offset }: TemplateQuery,
): Promise<Page<TemplateRow>> => {
  const [column, direction] = orders[sort];
  return atOneMoment(database, async ({ orm }) => {
    const query = orm.createQueryBuilder(templateEntity, 'template').where(ownerOf(tenant));
    if (lifecycle === 'active') query.andWhere('template.archived_at is null');
    if (lifecycle === 'archived') query.andWhere('template.archived_at is not null');
    if (type !== undefined) query.andWhere({ type });
    if (q !== undefined) {
      query.andWhere(`${byName} like ${folded(':pattern')}`, { pattern: containing(q) });
    }
    query.orderBy(column, direction).addOrderBy('template.id', direction).limit(limit).offset(offset);
    const [items, total] = await query.getManyAndCount();
    return { items, total };
  });
};
