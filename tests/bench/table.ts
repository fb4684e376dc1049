const lineOf = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** A Markdown table. */
export const markdownTable = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [lineOf(head), lineOf(head.map(() => '---')), ...rows.map(lineOf)].join('\n');

/** The rows of the first Markdown table in a text, without its head. */
export const rowsOfTable = (text: string): string[][] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2)
    .map((line) => line.slice(2, -2).split(' | '));
