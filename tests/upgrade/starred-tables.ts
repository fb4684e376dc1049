/** A star, what is read next to it until a line begins with `from`, and what it is read from. */
const starred = /\bselect \*(?:,[^;`]*?\n)?\s*\bfrom\s+([\w${}]+)/g;
/** A star of one table of several, and the name of that table in the statement. */
const starredOf = /\b(?:select|returning|,) (\w+)\.\*/g;
/** What an insert, an update or a deletion answers whole. */
const answered = /\b(returning) \*/g;
/** The name of a part of a statement. */
const part = /\b(\w+) as (?:not materialized |materialized )?\(/g;

/** Functions whose rows have the columns that the statement itself lists. */
const listed = new Set(['unnest', 'json_to_recordset']);

/**
 * The tables, and functions that answer their rows, of which statements in a source read every column there is, by the
 * names that the statements give them; `returning` for what a statement has written.
 */
export const starredTables = (source: string): string[] => {
  const parts = new Set([...source.matchAll(part)].map((match) => match[1]));
  return [starred, starredOf, answered]
    .flatMap((pattern) => [...source.matchAll(pattern)])
    .map((match) => match[1] ?? '')
    .filter((name) => !listed.has(name) && !parts.has(name));
};
