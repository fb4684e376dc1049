import { blockCheck, type Surface } from './blocks.ts';
import { isJsonObject, list, listIn, type Problem, type Report } from './checks.ts';

/** Most blocks of one surface. */
const BLOCKS_MAX = { message: 50, view: 100 } as const;
const BLOCKS_MIN = { message: 0, view: 1 } as const;

const blockLists = {
  message: list(blockCheck('message'), BLOCKS_MIN.message, BLOCKS_MAX.message),
  view: list(blockCheck('view'), BLOCKS_MIN.view, BLOCKS_MAX.view),
};

function reportRepeatedBlockIds(blocks: readonly unknown[], pointer: string, report: Report): void {
  const seen = new Set<unknown>();
  blocks.forEach((block, index) => {
    if (!isJsonObject(block) || block.block_id === undefined) return;
    if (seen.has(block.block_id)) report(`${pointer}/${index}/block_id`, 'block_id must be unique');
    seen.add(block.block_id);
  });
}

function reportRepeatedActionIds(block: unknown, pointer: string, report: Report): void {
  if (!isJsonObject(block)) return;
  const seen = new Set<unknown>();
  listIn(block, 'elements').forEach((element, index) => {
    if (!isJsonObject(element) || element.action_id === undefined) return;
    if (seen.has(element.action_id)) {
      report(`${pointer}/elements/${index}/action_id`, 'action_id must be unique inside its block');
    }
    seen.add(element.action_id);
  });
}

/**
 * Every breach of the platform's limits in a list of blocks.
 *
 * @param pointer where the list stands in the payload, `/blocks` of a message
 */
export function findProblems(blocks: unknown, surface: Surface, pointer: string): Problem[] {
  const problems: Problem[] = [];
  const report: Report = (where, reason) => {
    problems.push({ pointer: where, reason });
  };
  blockLists[surface](blocks, pointer, report);
  if (Array.isArray(blocks)) {
    reportRepeatedBlockIds(blocks, pointer, report);
    blocks.forEach((block: unknown, index) => {
      reportRepeatedActionIds(block, `${pointer}/${index}`, report);
    });
  }
  return problems;
}
