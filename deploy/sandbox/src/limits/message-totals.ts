import { isJsonObject, listIn, type Problem } from './checks.ts';
import { maxOf } from './table.ts';
import { textLength } from './tables.ts';

/**
 * Text of all blocks together. The platform documents no figure; its staff speak of 12,000 characters and a buffer,
 * and edges of 13,172 and 13,297 were observed (github.com/slackapi/bolt-js issues 2509 and 2867).
 */
const BLOCK_TEXT_MAX = 13_000;
/** Text of all `markdown` blocks together. */
const MARKDOWN_TEXT_MAX = maxOf('markdown.total');
/** Text in all cells of all tables. */
const TABLE_TEXT_MAX = maxOf('table.text_total');
const CHARTS_MAX = maxOf('message.charts');

/** A limit over a whole message that is passed: the platform's error name and where. */
export interface TotalBreach {
  readonly error: string;
  readonly problem: Problem;
}

interface Found {
  readonly block: unknown;
  readonly pointer: string;
}

type Counted = 'table' | 'data_visualization' | 'markdown';

const isCounted = (type: unknown): type is Counted =>
  type === 'table' || type === 'data_visualization' || type === 'markdown';

/** Blocks by type, also those inside containers. */
function byType(
  blocks: readonly unknown[],
  pointer = '/blocks',
  found: Record<Counted, Found[]> = { table: [], data_visualization: [], markdown: [] },
): Record<Counted, Found[]> {
  for (const [index, block] of blocks.entries()) {
    if (!isJsonObject(block)) continue;
    const own = `${pointer}/${index}`;
    if (isCounted(block.type)) found[block.type].push({ block, pointer: own });
    if (block.child_blocks !== undefined) byType(listIn(block, 'child_blocks'), `${own}/child_blocks`, found);
  }
  return found;
}

/** The first limit over all blocks of a message that is passed, if any. The blocks are sound one by one. */
export function findTotalBreach(blocks: readonly unknown[]): TotalBreach | undefined {
  const found = byType(blocks);
  const tables = found.table;
  const secondTable = tables[1];
  if (secondTable !== undefined) {
    const problem = { pointer: secondTable.pointer, reason: 'only one table is allowed in a message' };
    return { error: 'only_one_table_allowed', problem };
  }
  const thirdChart = found.data_visualization[CHARTS_MAX];
  if (thirdChart !== undefined) {
    const reason = `no more than ${CHARTS_MAX} data_visualization blocks allowed in a message`;
    return { error: 'invalid_blocks', problem: { pointer: thirdChart.pointer, reason } };
  }
  const tableText = textLength(tables.map(({ block }) => block));
  if (tableText > TABLE_TEXT_MAX) {
    const reason = `tables must hold less than ${TABLE_TEXT_MAX + 1} characters, not ${tableText}`;
    return { error: 'invalid_blocks', problem: { pointer: tables[0]?.pointer ?? '/blocks', reason } };
  }
  return findTextBreach(blocks, found.markdown);
}

function findTextBreach(blocks: readonly unknown[], markdowns: readonly Found[]): TotalBreach | undefined {
  const markdown = textLength(markdowns.map(({ block }) => block));
  if (markdown > MARKDOWN_TEXT_MAX) {
    const reason = `markdown blocks must hold less than ${MARKDOWN_TEXT_MAX + 1} characters together, not ${markdown}`;
    return { error: 'msg_blocks_too_long', problem: { pointer: '/blocks', reason } };
  }
  const all = textLength(blocks);
  if (all > BLOCK_TEXT_MAX) {
    const reason = `blocks must hold less than ${BLOCK_TEXT_MAX + 1} characters together, not ${all}`;
    return { error: 'msg_blocks_too_long', problem: { pointer: '/blocks', reason } };
  }
  return undefined;
}
