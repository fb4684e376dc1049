import { type Block, expandBlocks, type Problem, problemsError } from '@stanza/contracts';
import { usesPartials } from '@stanza/engine';
import type { CallContext, RpcClient, Tenant } from '@stanza/runtime';

/** Where blocks that are not a stored version come from. */
export interface Asked {
  tenant: Tenant;
  context: CallContext;
  blocks: readonly Block[];
}

/** Puts the blocks of partials into blocks that are not a stored version; most have none, which costs no call. */
export const expanded = async (
  rpc: RpcClient,
  { tenant, context, blocks }: Asked,
): Promise<{ blocks: Block[]; problems: Problem[] }> => {
  if (!usesPartials(blocks)) return { blocks: [...blocks], problems: [] };
  const { organizationId: organization_id, environment } = tenant;
  return rpc.call(expandBlocks, { organization_id, environment, blocks: [...blocks] }, context);
};

/**
 * Like {@link expanded}, for what compiles the blocks or fails.
 * @throws CodedError `compilation_failed` with the problems of the entries that name partials
 */
export const expandedOrThrow = async (rpc: RpcClient, asked: Asked): Promise<Block[]> => {
  const { blocks, problems } = await expanded(rpc, asked);
  if (problems.length > 0) throw problemsError('compilation_failed', problems);
  return blocks;
};
