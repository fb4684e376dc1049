/** A statement without its comments and the insides of its texts, in lower case and on one line. */
const plain = (text: string): string =>
  text
    .replaceAll(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''")
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .replaceAll(/--[^\n]*/g, ' ')
    .replaceAll(/\/\*[\s\S]*?\*\//g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase();

/** The statements of a text that may hold several. */
export const statementsOf = (text: string): string[] =>
  plain(text)
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** The parts of a list, split at the commas that stand in no parentheses. */
export const splitList = (list: string): string[] => {
  const parts: string[] = [];
  let depth = 0;
  let part = '';
  for (const letter of list) {
    if (letter === '(') depth += 1;
    if (letter === ')') depth -= 1;
    if (letter === ',' && depth === 0) {
      parts.push(part.trim());
      part = '';
    } else part += letter;
  }
  return [...parts, part.trim()].filter((it) => it !== '');
};
