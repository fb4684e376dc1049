/** A star, what is read beside it until a line begins with `from`, and what it is read from. */
const starred = /\bselect \*(?:,[^;`]*?\n)?\s*\bfrom\s+([\w${}]+)/g;
/** The name of a part of a statement. */
const part = /\b(\w+) as (?:not materialized |materialized )?\(/g;

/** The tables, and functions that answer their rows, of which statements in a source read every column there is. */
export const starredTables = (source: string): string[] => {
  const parts = new Set([...source.matchAll(part)].map((match) => match[1]));
  return [...source.matchAll(starred)]
    .map((match) => match[1] ?? '')
    .filter((name) => name !== 'unnest' && !parts.has(name));
};
