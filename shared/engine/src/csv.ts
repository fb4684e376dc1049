/** By it spreadsheets know that a file is UTF-8. */
export const byteOrderMark = '\ufeff';

const cell = (text: string): string => (/[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** A line of a CSV file (RFC 4180). */
export const csvLine = (cells: readonly string[]): string => `${cells.map(cell).join(',')}\r\n`;

/** The cell of a text: what a spreadsheet would take for a formula has a quote before it, and stays a text. */
export const textCell = (text: string): string => (/^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text);

/** The text of a cell that {@link textCell} has written. */
export const cellText = (written: string): string => written.replace(/^'(?='*[=+\-@\t\r])/, '');

/** A line of a table, which begins at a line of the file. */
export interface CsvLine {
  readonly number: number;
  readonly cells: readonly string[];
}

/** The lines of a table, or the number of the line whose quote is not closed. */
export const csvLines = (text: string, separator: string): CsvLine[] | number => {
  const lines: CsvLine[] = [];
  let [cells, current, number, start]: [string[], string, number, number] = [[], '', 1, 1];
  let quoted = false;
  const endLine = () => {
    cells.push(current);
    if (cells.length > 1 || current !== '') lines.push({ number: start, cells });
    [cells, current] = [[], ''];
  };
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? '';
    if (sign === '\n') number += 1;
    if (quoted && sign === '"' && text[at + 1] === '"') {
      current += '"';
      at += 1;
    } else if (sign === '"' && (quoted || current === '')) quoted = !quoted;
    else if (quoted) current += sign;
    else if (sign === separator) {
      cells.push(current);
      current = '';
    } else if (sign === '\n') {
      endLine();
      start = number;
    } else if (sign !== '\r') current += sign;
  }
  endLine();
  return quoted ? start : lines;
};
