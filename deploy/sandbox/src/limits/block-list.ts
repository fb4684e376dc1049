import { blockCheck, type Surface } from './blocks.ts';
import { isJsonObject, type JsonObject, list, listIn, type Problem, type Report } from './checks.ts';
import { most } from './table.ts';

/** Most blocks of one surface. */
const BLOCKS_MAX = { message: most('message.blocks'), view: most('view.blocks') } as const;
const BLOCKS_MIN = { message: 0, view: 1 } as const;

const blockLists = {
  message: list(blockCheck('message'), BLOCKS_MIN.message, BLOCKS_MAX.message),
  view: list(blockCheck('view'), BLOCKS_MIN.view, BLOCKS_MAX.view),
};

/** A block and those inside it: children of containers, cards of carousels, tasks of plans. */
function withNested(block: unknown, pointer: string): { block: JsonObject; pointer: string }[] {
  if (!isJsonObject(block)) return [];
  const lists = ['child_blocks', 'tasks', ...(block.type === 'carousel' ? ['elements'] : [])];
  const inside = lists.flatMap((name) =>
    listIn(block, name).flatMap((entry, index) => withNested(entry, `${pointer}/${name}/${index}`)),
  );
  return [{ block, pointer }, ...inside];
}

function reportRepeatedBlockIds(blocks: readonly unknown[], pointer: string, report: Report): void {
  const seen = new Set<unknown>();
  const all = blocks.flatMap((block, index) => withNested(block, `${pointer}/${index}`));
  for (const { block, pointer: own } of all) {
    if (block.block_id === undefined) continue;
    if (seen.has(block.block_id)) report(`${own}/block_id`, 'block_id must be unique');
    seen.add(block.block_id);
  }
}

/** The elements of a block that act, also those in cells, with their places. */
function actingIn(block: JsonObject, pointer: string): [unknown, string][] {
  const listed = ['elements', 'actions'].flatMap((name) =>
    listIn(block, name).map((element, index): [unknown, string] => [element, `${pointer}/${name}/${index}`]),
  );
  const inCells = listIn(block, 'rows').flatMap((row, index) =>
    (Array.isArray(row) ? row : []).flatMap((cell: unknown, column): [unknown, string][] =>
      isJsonObject(cell) && cell.type === 'action_cell'
        ? [[cell.element, `${pointer}/rows/${index}/${column}/element`]]
        : [],
    ),
  );
  return [...listed, ...inCells];
}

function reportRepeatedActionIds(block: unknown, pointer: string, report: Report): void {
  for (const { block: own, pointer: at } of withNested(block, pointer)) {
    const seen = new Set<unknown>();
    for (const [element, place] of actingIn(own, at)) {
      if (!isJsonObject(element) || element.action_id === undefined) continue;
      if (seen.has(element.action_id))
        report(`${place}/action_id`, 'action_id must be unique inside its block');
      seen.add(element.action_id);
    }
  }
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
