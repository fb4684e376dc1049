import { byteOrderMark, csvLine, textCell } from '@stanza/engine/csv';

const cellOf = (value: string | number): string =>
  typeof value === 'string' ? textCell(value) : String(value);

/** Rows as the text of a CSV file, the names of the first row's columns before them. */
export const csvOf = (rows: readonly Readonly<Record<string, string | number>>[]): string =>
  byteOrderMark +
  [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))]
    .map((cells) => csvLine(cells.map(cellOf)))
    .join('');
