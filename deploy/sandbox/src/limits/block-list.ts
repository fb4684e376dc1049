import { blockCheck, type Surface } from './blocks.ts';
import { isJsonObject, type JsonObject, list, listIn, type Problem, type Report } from './checks.ts';
import { maxOf } from './table.ts';

/** Most blocks of one surface. */
const BLOCKS_MAX = { message: maxOf('message.blocks'), view: maxOf('view.blocks') } as const;
const BLOCKS_MIN = { message: 0, view: 1 } as const;

const blockLists = {
  message: list(blockCheck('message'), BLOCKS_MIN.message, BLOCKS_MAX.message),
  view: list(blockCheck('view'), BLOCKS_MIN.view, BLOCKS_MAX.view),
};

/** A block and its place in the payload. */
interface Placed {
  block: JsonObject;
  pointer: string;
}

const containing = ['child_blocks', 'tasks'];
const containingOfCarousel = [...containing, 'elements'];

/** Adds a block and those inside it: children of containers, cards of carousels, tasks of plans. */
function addNested(block: unknown, pointer: string, all: Placed[]): void {
  if (!isJsonObject(block)) return;
  all.push({ block, pointer });
  for (const name of block.type === 'carousel' ? containingOfCarousel : containing) {
    for (const [index, entry] of listIn(block, name).entries())
      addNested(entry, `${pointer}/${name}/${index}`, all);
  }
}

function reportRepeatedBlockIds(all: readonly Placed[], report: Report): void {
  const seen = new Set<unknown>();
  for (const { block, pointer } of all) {
    if (block.block_id === undefined) continue;
    if (seen.has(block.block_id)) report(`${pointer}/block_id`, 'block_id must be unique');
    seen.add(block.block_id);
  }
}

/** The elements of a block that act, also those in cells, with their places. */
function actingIn({ block, pointer }: Placed): [unknown, string][] {
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

const canAct = ({ elements, actions, rows }: JsonObject): boolean =>
  elements !== undefined || actions !== undefined || rows !== undefined;

function reportRepeatedActionIds(placed: Placed, report: Report): void {
  if (!canAct(placed.block)) return;
  const seen = new Set<unknown>();
  for (const [element, place] of actingIn(placed)) {
    if (!isJsonObject(element) || element.action_id === undefined) continue;
    if (seen.has(element.action_id))
      report(`${place}/action_id`, 'action_id must be unique inside its block');
    seen.add(element.action_id);
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
    const all: Placed[] = [];
    for (const [index, block] of blocks.entries()) addNested(block, `${pointer}/${index}`, all);
    reportRepeatedBlockIds(all, report);
    for (const placed of all) reportRepeatedActionIds(placed, report);
  }
  return problems;
}
