import type { Page, Sort } from '@stanza/contracts';
import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { containing } from './pattern.ts';

/** The order and page of a list of named things, and a part of the name. */
export interface NamedQuery {
  key?: string | undefined;
  q?: string | undefined;
  sort: Sort;
  limit: number;
  offset: number;
}

/** A name in lower case by the rules of Unicode: the database's collation may cover ASCII only. */
const folded = (name: string): string => `lower(${name} collate "und-x-icu")`;

/**
 * Reads a page of a query's rows, and counts all of them.
 * @param keys the table with their keys
 */
export const pageOf = async <T extends ObjectLiteral>(
  query: SelectQueryBuilder<T>,
  { key, q, sort, limit, offset }: NamedQuery,
  keys?: 'template_keys' | 'entity_keys' | 'modal_keys',
): Promise<Page<T>> => {
  const byName = folded(`${query.alias}.name`);
  if (key !== undefined && keys !== undefined) {
    const sameTenant = ['organization_id', 'environment', 'id']
      .map((column) => `named.${column} = ${query.alias}.${column}`)
      .join(' and ');
    query.andWhere(`exists (select from ${keys} as named where ${sameTenant} and named.key = :key)`, { key });
  }
  if (q !== undefined) query.andWhere(`${byName} like ${folded(':pattern')}`, { pattern: containing(q) });
  const direction = sort.startsWith('-') ? 'DESC' : 'ASC';
  const column = sort.replace('-', '');
  query
    .orderBy(column === 'name' ? byName : `${query.alias}.${column}`, direction)
    .addOrderBy(`${query.alias}.id`, direction)
    .limit(limit)
    .offset(offset);
  const [items, total] = await query.getManyAndCount();
  return { items, total };
};
