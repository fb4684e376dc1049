import { stripVTControlCharacters } from 'node:util';

/** The width of a column below which it is not cut. */
const narrow = 8;

const widthOf = (text: string): number => [...stripVTControlCharacters(text)].length;

const cut = (text: string, width: number): string =>
  widthOf(text) <= width ? text : `${[...stripVTControlCharacters(text)].slice(0, width - 1).join('')}…`;

const pad = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - widthOf(text)));

/** Takes from the widest columns until the line fits. */
const fit = (widths: readonly number[], columns: number): number[] => {
  const fitted = [...widths];
  const gaps = 2 * (widths.length - 1);
  for (;;) {
    const sum = fitted.reduce((total, width) => total + width, gaps);
    const widest = Math.max(...fitted);
    if (sum <= columns || widest <= narrow) return fitted;
    fitted[fitted.indexOf(widest)] = Math.max(narrow, widest - (sum - columns));
  }
};

/** Lines of a table that is no wider than the terminal; nothing where there are no rows. */
export const table = (
  head: readonly string[],
  rows: readonly (readonly string[])[],
  columns: number,
): string[] => {
  if (rows.length === 0) return [];
  const all = [head, ...rows];
  const widths = fit(
    head.map((_, index) => Math.max(...all.map((row) => widthOf(row[index] ?? '')))),
    columns,
  );
  return all.map((row) =>
    widths
      .map((width, index) => pad(cut(row[index] ?? '', width), width))
      .join('  ')
      .trimEnd(),
  );
};
