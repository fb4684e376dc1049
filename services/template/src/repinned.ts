import type { Block, Problem } from '@stanza/contracts';
import { expandPartials, namesRead, partialsIn, withoutVersions } from '@stanza/engine';
import type { Queryable, Tenant } from '@stanza/runtime';
import { partialsAmong } from './domain/partials.ts';
import { inBlocks } from './expanded-blocks.ts';
import { findPartials } from './store/partials.ts';

/** A version of a partial that takes the place of others. */
export interface Candidate {
  key: string;
  version: number;
  blocks: readonly Block[];
}

/**
 * Puts a version of a partial in place of those that blocks hold. Names that it does not read any more are left out; what
 * it reads newly is a problem of the blocks.
 * @param self the key of the partial that the blocks are of
 */
export const repinned = async (
  tenant: Tenant,
  db: Queryable,
  { blocks, candidate, self }: { blocks: readonly Block[]; candidate: Candidate; self: string | undefined },
): Promise<{ blocks: Block[]; problems: Problem[] }> => {
  const { key, version } = candidate;
  const names = namesRead(candidate.blocks);
  const written = withoutVersions(blocks, key, (name) => names.has(name));
  const others = partialsIn(written).filter((named) => named.key !== key);
  const find = partialsAmong(await findPartials(tenant, db, others));
  const expanded = expandPartials(
    written,
    (named, number) => (named === key ? { version, blocks: candidate.blocks } : find(named, number)),
    self,
  );
  return { blocks: expanded.blocks, problems: inBlocks(expanded.problems) };
};
