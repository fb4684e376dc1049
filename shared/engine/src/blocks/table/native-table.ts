import { list } from '../../grammar/list.ts';
import { nullable, object, optional, required, type Shape } from '../../grammar/object.ts';
import type { Rule } from '../../grammar/rules.ts';
import { choice, flag, integer, number } from '../../grammar/scalar.ts';
import { text } from '../../grammar/text.ts';
import { type Kind, type Kinds, typed } from '../../grammar/typed.ts';
import { isList, isObject, type JsonObject } from '../../json.ts';
import { type LimitName, limitOf } from '../../limits.ts';
import type { Grammar } from '../../parse/grammar.ts';
import { made } from '../../parse/node.ts';
import { contextIn, overLimit } from '../../parse/parse-context.ts';
import { noteProblem, type Run, spendOutput, warn } from '../../run/run.ts';
import { codePoints, cutText } from '../../text/cut.ts';
import { shareOf } from '../../text/share.ts';
import { type Composed, fitTogether } from '../../text/together.ts';
import { buttonOfCard } from '../elements/elements.ts';
import { richTextInside } from '../rich-text.ts';

const cellText = text('table.cell', 'plain', { together: 'cells' });

const plainCells: Kinds = {
  raw_text: { silent: true, shape: { fields: { text: required(cellText) } } },
  raw_number: { silent: true, shape: { fields: { value: required(number()), text: required(cellText) } } },
};
const shownCells: Kinds = { ...plainCells, rich_text: { ...richTextInside, silent: true } };
const fallbackCell = typed(() => plainCells, { what: 'cell', table: 'cells' });

/** The content of a cell: a button with what stands there where buttons cannot is for a `data_table` alone. */
export const cells: Kinds = {
  ...shownCells,
  action_cell: {
    silent: true,
    shape: { fields: { element: required(buttonOfCard), fallback: optional(fallbackCell) } },
  },
};

/** The content of an empty cell: the platform refuses empty text, and every row has the same number of cells. */
export const emptyCell = Object.freeze({ type: 'raw_text', text: '–' });

/** A cell of a table of either kind. */
export const cell = typed(() => shownCells, { what: 'cell', table: 'cells' });
/** A cell of a `data_table`. */
const actingCell = typed(() => cells, { what: 'cell', table: 'cells' });

/** A cell around a text. */
export const textCell = (given: unknown): unknown => ({ type: 'raw_text', text: given });
const noteRow = (given: unknown): unknown => [textCell(given)];

const rowsOf = (
  rows: 'table.rows' | 'data_table.rows',
  row: 'table.cells' | 'data_table.cells',
  item: Grammar,
) => list(rows, { item: list(row, { item, note: textCell, gap: emptyCell }), note: noteRow });

const rowsIn = (table: JsonObject): readonly (readonly unknown[])[] =>
  isList(table.rows) ? table.rows.filter(isList) : [];

const holdsDirective = (row: readonly unknown[]): boolean =>
  row.some((entry) => isObject(entry) && entry.type === 'directive');

/** Rows that the template writes out are as wide as each other; those that data makes are filled up. */
const rowsAsWide: Rule = {
  of: 'template',
  test: ({ rows }) => {
    if (!isList(rows)) return undefined;
    const written = rows.flatMap((row, index) =>
      isList(row) && !holdsDirective(row) ? [{ index, width: row.length }] : [],
    );
    const [first, ...others] = written;
    const odd = others.find(({ width }) => width !== first?.width);
    if (first === undefined || odd === undefined) return undefined;
    const message = `has rows of one width; this one has ${odd.width} cells, the first has ${first.width}`;
    return { rule: 'table.width', message, at: ['rows', odd.index] };
  },
  describe: { same_width: 'rows' },
};

const isRich = (entry: unknown): boolean => isObject(entry) && entry.type === 'rich_text';

const headIsPlain = (of: 'template' | 'value'): Rule => ({
  of,
  test: ({ rows }) => {
    const [head] = isList(rows) ? rows : [];
    const index = isList(head) ? head.findIndex(isRich) : -1;
    if (index === -1) return undefined;
    return { rule: 'value.choice', message: 'has no rich text in its header row', at: ['rows', 0, index] };
  },
  describe: { no_rich_text: 'rows/0' },
});

const align = choice('left', 'center', 'right');

/** The display of a column of a table. */
export const columnFields = { align: optional(align), is_wrapped: optional(flag) };

/** A simple table, as the platform takes it. */
export const tableShape: Shape = {
  fields: {
    rows: required(rowsOf('table.rows', 'table.cells', cell)),
    column_settings: optional(
      list('table.column_settings', { item: nullable(object('column setting', { fields: columnFields })) }),
    ),
  },
  rules: [rowsAsWide],
};

/** A table that readers sort and page through, as the platform takes it. */
export const dataTableShape: Shape = {
  fields: {
    caption: required(text('data_table.caption', 'plain')),
    rows: required(rowsOf('data_table.rows', 'data_table.cells', actingCell)),
    page_size: optional(integer('data_table.page_size')),
    row_header_column_index: optional(integer('data_table.row_header_column_index')),
  },
  rules: [rowsAsWide, headIsPlain('template'), headIsPlain('value')],
};

/** Characters of every `text` inside a value, which is what the platform counts. */
const textLength = (value: unknown): number => {
  if (isList(value)) return value.reduce<number>((sum, entry) => sum + textLength(entry), 0);
  if (!isObject(value)) return 0;
  return Object.entries(value).reduce(
    (sum, [key, inner]) =>
      sum + (key === 'text' && typeof inner === 'string' ? codePoints(inner) : textLength(inner)),
    0,
  );
};

const rawText = (entry: unknown): string | undefined =>
  isObject(entry) && entry.type === 'raw_text' && typeof entry.text === 'string' ? entry.text : undefined;

type Rows = readonly (readonly unknown[])[];

/** Replaces the texts of some cells. */
const withTexts = (rows: Rows, run: Run, change: (text: string, entry: unknown) => string): Rows =>
  rows.map((row) =>
    row.map((entry) => {
      const given = rawText(entry);
      if (given === undefined) return entry;
      const text = change(given, entry);
      if (text === given) return entry;
      run.fieldsTruncated += 1;
      run.text -= codePoints(given) - codePoints(text);
      return { type: 'raw_text', text };
    }),
  );

/**
 * What the cells of a table were made of, in their order. Cells that no data changes have no entry, numbers are not
 * cut.
 */
const composedOf = (rows: Rows, run: Run): Map<unknown, Composed> => {
  const composed = run.together?.cells ?? [];
  const found = new Map<unknown, Composed>();
  let next = 0;
  for (const entry of rows.flat()) {
    const text = rawText(entry);
    let at = next;
    while (text !== undefined && at < composed.length && composed[at]?.text !== text) at += 1;
    const match = composed[at];
    if (text === undefined || match === undefined) continue;
    found.set(entry, match);
    next = at + 1;
  }
  return found;
};

/**
 * Shortens the values of the cells so that all texts have this many characters less; undefined where that is not
 * enough.
 */
const shortenValues = (rows: Rows, excess: number, run: Run): Rows | undefined => {
  const cells = composedOf(rows, run);
  const composed = [...cells.values()];
  const total = composed.reduce((sum, { text }) => sum + codePoints(text), 0);
  const literal = composed.reduce((sum, { text, refit }) => sum + codePoints(refit?.(0) ?? text), 0);
  // Each value keeps a character at least: a cell that comes out empty shows a dash.
  if (literal + composed.length > total - excess) return undefined;
  const fitted = fitTogether(composed, total - excess);
  const texts = new Map([...cells.keys()].map((entry, index) => [entry, fitted[index]]));
  return withTexts(rows, run, (text, entry) => texts.get(entry) ?? text);
};

/** Cuts the longest cells, whatever they hold: the template itself has more text than fits. */
const cutCells = (rows: Rows, excess: number, run: Run): Rows | undefined => {
  const lengths = rows
    .flat()
    .flatMap((entry) => rawText(entry) ?? [])
    .map(codePoints);
  const room = lengths.reduce((sum, length) => sum + length, 0) - excess;
  const most = room < lengths.length ? 0 : shareOf(lengths, room);
  return most === 0 ? undefined : withTexts(rows, run, (text) => cutText(text, most, 'plain'));
};

/** Shortens the cells of a table whose text is too long in all: the values in them, before the text of the template. */
const fitCells = (rows: Rows, limit: LimitName, run: Run, pointer: string): Rows => {
  const { max } = limitOf(limit);
  const total = textLength(rows);
  if (total <= max) return rows;
  const fitted = shortenValues(rows, total - max, run) ?? cutCells(rows, total - max, run);
  if (fitted === undefined) {
    // Numbers and rich text are not cut.
    noteProblem(run, overLimit(pointer, limit, total));
    return rows;
  }
  const story = `the table holds ${total} characters, ${max} fit (\`${limit}\`), so its cells are shortened.`;
  warn(run, 'text.cut', pointer, story);
  return fitted;
};

/** Fills up rows that are narrower than the widest. */
const fillRows = (rows: Rows, run: Run, pointer: string): Rows => {
  const width = rows.reduce((widest, row) => Math.max(widest, row.length), 0);
  if (rows.every((row) => row.length === width)) return rows;
  spendOutput(run, width * rows.length, 0);
  // A single cell is a note, as `overflow_text` makes it.
  if (rows.some(({ length }) => length > 1 && length < width)) {
    warn(run, 'table.filled', pointer, `rows with less than ${width} cells are filled up with empty ones.`);
  }
  return rows.map((row) => [...row, ...Array.from({ length: width - row.length }, () => emptyCell)]);
};

/** A kind of table whose rows are made even and whose text is made to fit. */
export const evenTable = (limit: LimitName, kind: Kind): Kind => ({
  ...kind,
  around: (value, context, parser) => {
    const node = kind.around === undefined ? parser(value, context) : kind.around(value, context, parser);
    const { pointer } = contextIn(context, Object.hasOwn(value, 'source') ? 'source' : 'rows');
    if (node === undefined || (node.fixed && textLength(node.value) <= limitOf(limit).max)) return node;
    return made((run) => {
      if (run.together !== undefined) run.together.cells = [];
      const table = node.fixed ? node.value : node.make(run);
      if (!isObject(table)) return undefined;
      const given = rowsIn(table);
      const rows = fitCells(fillRows(given, run, pointer), limit, run, pointer);
      return rows === given ? table : { ...table, rows };
    });
  },
});
