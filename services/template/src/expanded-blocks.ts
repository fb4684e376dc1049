import type { Block, Problem } from '@stanza/contracts';
import { expandPartials, partialsIn } from '@stanza/engine';
import type { Queryable, Tenant } from '@stanza/runtime';
import { partialsAmong } from './domain/partials.ts';
import { findPartials } from './store/partials.ts';

/** Problems with pointers into `{blocks}`, as in every answer. */
export const inBlocks = (problems: readonly Problem[]): Problem[] =>
  problems.map((problem) => ({ ...problem, pointer: `/blocks${problem.pointer}` }));

/**
 * Puts the blocks of partials in place of the entries that name them.
 * @param self the key of the partial that the blocks are of
 */
export const expandedBlocks = async (
  tenant: Tenant,
  db: Queryable,
  blocks: readonly Block[],
  self?: string,
): Promise<{ blocks: Block[]; problems: Problem[] }> => {
  const named = partialsIn(blocks);
  const rows = named.length === 0 ? [] : await findPartials(tenant, db, named);
  const expanded = expandPartials(blocks, partialsAmong(rows), self);
  return { blocks: expanded.blocks, problems: inBlocks(expanded.problems) };
};
