/** A cell; what a spreadsheet would take for a formula stays a text. */
const cellOf = (value: string | number): string => {
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** Rows as the text of a CSV file (RFC 4180), the names of the first row's columns before them. */
export const csvOf = (rows: readonly Readonly<Record<string, string | number>>[]): string =>
  [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))]
    .map((cells) => `${cells.map(cellOf).join(',')}\r\n`)
    .join('');
