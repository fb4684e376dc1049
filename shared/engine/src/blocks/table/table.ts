import { counted } from '../../grammar/counted.ts';
import { isList, isObject } from '../../json.ts';
import { type BlockKind, ofMessages } from '../block-kind.ts';
import { summarizeRichText } from '../rich-text.ts';
import { clean, joinSaid, listIn, type Summary, stringIn, textOf } from '../summary.ts';
import { noteNumberCells } from '../third-party.ts';
import { boundTable } from './bound-table.ts';
import { dataTableShape, evenTable, tableShape } from './native-table.ts';

const textOfCell = (cell: unknown): string => {
  if (!isObject(cell)) return '';
  if (cell.type === 'rich_text') return summarizeRichText(cell);
  const { element } = cell;
  // A button says what it does.
  if (cell.type === 'action_cell') return isObject(element) ? textOf(element.text) : '';
  return clean(stringIn(cell, 'text'));
};

/** Of a table: its caption, and its rows line by line. */
const summary: Summary = (block) => {
  const lines = listIn(block, 'rows').map((row) => (isList(row) ? row.map(textOfCell).join(' · ') : ''));
  return joinSaid([clean(stringIn(block, 'caption')), ...lines], '\n');
};

const simple = boundTable(
  { type: 'table', shape: tableShape, rows: 'table.rows', cells: 'table.cells', numbers: false },
  { surfaces: ofMessages, shape: tableShape, note: noteNumberCells },
);
const sortable = boundTable(
  {
    type: 'data_table',
    shape: dataTableShape,
    rows: 'data_table.rows',
    cells: 'data_table.cells',
    numbers: true,
  },
  { surfaces: ofMessages, shape: dataTableShape },
);

/** A simple table. */
export const table: BlockKind = {
  type: 'table',
  ...counted('message.tables', evenTable('table.text_total', simple)),
  summary,
};

/** A table that readers sort and page through. */
export const dataTable: BlockKind = {
  type: 'data_table',
  ...evenTable('data_table.text_total', sortable),
  summary,
};
