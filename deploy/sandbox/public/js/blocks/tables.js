import { el } from '../dom.js';
import { renderRichText } from './rich-text.js';

function contentOf(cell) {
  return cell.type === 'rich_text' ? renderRichText(cell) : cell.text;
}

function alignment(cell, setting) {
  return setting?.align ?? (cell.type === 'raw_number' ? 'right' : 'left');
}

/** Draws a `table` or a `data_table`: the first row is its header. */
export function renderTable({ rows, caption, column_settings = [], row_header_column_index }) {
  const [header, ...body] = rows;
  const cellsOf = (row, headerColumn) =>
    row.map((cell, column) => {
      const align = { class: `align-${alignment(cell, column_settings[column])}` };
      return column === headerColumn
        ? el('th', { ...align, scope: 'row' }, contentOf(cell))
        : el('td', align, contentOf(cell));
    });
  const headings = header.map((cell, column) => {
    const below = body[0]?.[column] ?? cell;
    return el(
      'th',
      { scope: 'col', class: `align-${alignment(below, column_settings[column])}` },
      contentOf(cell),
    );
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
        body.map((row) =>
          el('tr', {}, cellsOf(row, caption === undefined ? undefined : (row_header_column_index ?? 0))),
        ),
      ),
    ),
  );
}
