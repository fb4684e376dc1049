import {
  type Check,
  choice,
  codePoints,
  flag,
  integer,
  isJsonObject,
  list,
  listIn,
  number,
  object,
  type Rule,
  type Shape,
  text,
  typed,
} from './checks.ts';
import { buttonElement } from './elements.ts';
import { richTextShape } from './rich-text.ts';
import { maxOf } from './table.ts';

const CELLS_A_ROW = maxOf('table.cells');
/** Text in all cells of one data table; of two readings of the platform's page the smaller. */
const DATA_TABLE_TEXT_MAX = maxOf('data_table.text_total');
/** Rows of a data table with its header; of two readings of the platform's page the smaller. */
const DATA_TABLE_ROWS_MAX = maxOf('data_table.rows');

const plainCells: Record<string, Shape> = {
  raw_text: { required: { text: text() } },
  raw_number: { required: { value: number(), text: text() } },
};
const cell = typed({ ...plainCells, rich_text: richTextShape });
const headerCell = typed(plainCells);
const row = list(cell, 1, CELLS_A_ROW);
/** A button in a cell, and what stands there where buttons cannot. */
const actionCell: Shape = { required: { element: typed(buttonElement) }, optional: { fallback: headerCell } };
const actingCell = typed({ ...plainCells, rich_text: richTextShape, action_cell: actionCell });
const actingRow = list(actingCell, 1, maxOf('data_table.cells'));

const rowsAsWide: Rule = (table, pointer, report) => {
  const rows = listIn(table, 'rows');
  const [first] = rows;
  if (!Array.isArray(first)) return;
  rows.forEach((cells, index) => {
    if (Array.isArray(cells) && cells.length !== first.length) {
      report(`${pointer}/rows/${index}`, `must have ${first.length} cells as the first row`);
    }
  });
};

const headerIsPlain: Rule = (table, pointer, report) => {
  const [header] = listIn(table, 'rows');
  if (!Array.isArray(header)) return;
  header.forEach((entry: unknown, index) => {
    if (isJsonObject(entry) && entry.type === 'rich_text')
      headerCell(entry, `${pointer}/rows/0/${index}`, report);
  });
};

const dataTableText: Rule = (table, pointer, report) => {
  if (textLength(table.rows) > DATA_TABLE_TEXT_MAX) {
    report(`${pointer}/rows`, `must hold less than ${DATA_TABLE_TEXT_MAX + 1} characters in all cells`);
  }
};

/** Columns may be left to their defaults by a null. */
const columnSetting: Check = (value, pointer, report) => {
  if (value === null) return;
  object({ optional: { align: choice('left', 'center', 'right'), is_wrapped: flag } })(
    value,
    pointer,
    report,
  );
};

/** Code points of every `text` inside a value, which is how the platform's total limits are taken to count. */
export function textLength(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, entry) => sum + textLength(entry), 0);
  if (!isJsonObject(value)) return 0;
  let sum = 0;
  for (const [name, field] of Object.entries(value)) {
    sum += name === 'text' && typeof field === 'string' ? codePoints(field) : textLength(field);
  }
  return sum;
}

/** A simple table. */
export const tableShape: Shape = {
  required: { rows: list(row, 1, maxOf('table.rows')) },
  optional: { column_settings: list(columnSetting, 0, maxOf('table.column_settings')) },
  rules: [rowsAsWide],
};

/** A table that readers can sort and page through. */
export const dataTableShape: Shape = {
  required: { rows: list(actingRow, 2, DATA_TABLE_ROWS_MAX), caption: text() },
  optional: {
    page_size: integer(1, maxOf('data_table.page_size')),
    row_header_column_index: integer(0, maxOf('data_table.row_header_column_index')),
  },
  rules: [rowsAsWide, headerIsPlain, dataTableText],
};
