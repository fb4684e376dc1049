import type { ViewContext } from '../../context.ts';
import type { Cell, Table } from '../../types/blocks.ts';
import { type Child, el } from '../dom.ts';
import { drawElement } from '../elements.ts';
import { drawRichText } from './rich-text.ts';

function drawCell(cell: Cell, context: ViewContext): Child {
  if (cell.type === 'rich_text') return drawRichText(cell, context);
  return cell.type === 'action_cell' ? drawElement(cell.element, context) : cell.text;
}

/** Draws a `table` or a `data_table`: the first row is its header. */
export function drawTable(table: Table, context: ViewContext): HTMLElement {
  const { rows, caption, column_settings = [], row_header_column_index } = table;
  const [header = [], ...body] = rows;
  const headerColumn = caption === undefined ? undefined : (row_header_column_index ?? 0);
  const alignment = (cell: Cell, column: number) =>
    `align-${column_settings[column]?.align ?? (cell.type === 'raw_number' ? 'right' : 'left')}`;
  const headings = header.map((cell, column) =>
    el('th', { scope: 'col', class: alignment(body[0]?.[column] ?? cell, column) }, drawCell(cell, context)),
  );
  const drawRow = (row: readonly Cell[]) =>
    row.map((cell, column) => {
      const aligned = { class: alignment(cell, column) };
      return column === headerColumn
        ? el('th', { ...aligned, scope: 'row' }, drawCell(cell, context))
        : el('td', aligned, drawCell(cell, context));
    });
  return el(
    'div',
    { class: 'table-frame' },
    el(
      'table',
      { class: 'table' },
      caption === undefined ? undefined : el('caption', {}, caption),
      el('thead', {}, el('tr', {}, headings)),
      el(
        'tbody',
        {},
        body.map((row) => el('tr', {}, drawRow(row))),
      ),
    ),
  );
}
