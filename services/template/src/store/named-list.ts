import type { Page, Sort } from '@stanza/contracts';
import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { containing } from './pattern.ts';

/** The order and page of a list of things that have a name, and what the name must hold. */
export interface NamedQuery {
  q?: string | undefined;
  sort: Sort;
  limit: number;
  offset: number;
}

/** A name in lower case by the rules of Unicode: the database's own collation may know the letters of ASCII alone. */
const folded = (name: string): string => `lower(${name} collate "und-x-icu")`;

/** Reads a page of what a query selects, and counts all of it. */
export const pageOf = async <T extends ObjectLiteral>(
  query: SelectQueryBuilder<T>,
  { q, sort, limit, offset }: NamedQuery,
): Promise<Page<T>> => {
  const byName = folded(`${query.alias}.name`);
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
