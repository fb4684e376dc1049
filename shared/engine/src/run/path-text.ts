/** One step of a path that a template reads: a key, an item's number, or every item of a list (value of an object). */
export type ReadStep = string | number | null;

/** A path as its text says: `order.items[0]["First Name"]`. */
export interface PathText {
  /** The keys and numbers in order; null stands for `[]`, every item of a list or every value of an object. */
  readonly steps: readonly ReadStep[];
  /** The first key is quoted, so that it is a key of the data whatever `this` or a name bound by `as` may mean. */
  readonly isQuoted: boolean;
}

/** Most paths have names alone. */
const plain = /^[a-z_$][\w$-]*(?:\.[\w$-]+)*$/i;
const nameFirst = /^[\p{L}\p{N}_$][\p{L}\p{N}_$-]*$/u;
const nameAfterDot = /^[\p{L}\p{N}_$-]+$/u;
const step = /\.([\p{L}\p{N}_$-]+)|\[(\d{1,9}|"[^"\\]*(?:\\.[^"\\]*)*"|'[^'\\]*(?:\\.[^'\\]*)*')?\]/suy;

/** The text between the quotes: `\n` is a line break, and any other character behind `\` is itself. */
export const unquote = (quoted: string): string =>
  quoted.slice(1, -1).replace(/\\(.)/gs, (_, character: string) => (character === 'n' ? '\n' : character));

const quote = (key: string): string =>
  `"${key.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`)}"`;

const stepOf = (name: string | undefined, bracketed: string | undefined): ReadStep => {
  if (name !== undefined) return name;
  if (bracketed === undefined) return null;
  return /^\d/.test(bracketed) ? Number(bracketed) : unquote(bracketed);
};

/** Reads the text of a path that starts with a key; undefined where it is none. Any key can be written in quotes. */
export const readPath = (text: string): PathText | undefined => {
  if (plain.test(text)) return { steps: text.split('.'), isQuoted: false };
  const isQuoted = /^\[["']/.test(text);
  if (!isQuoted && !/^[\p{L}\p{N}_$]/u.test(text)) return undefined;
  // The first name has no dot before it.
  const dotted = isQuoted ? text : `.${text}`;
  const steps: ReadStep[] = [];
  step.lastIndex = 0;
  while (step.lastIndex < dotted.length) {
    const found = step.exec(dotted);
    if (found === null) return undefined;
    steps.push(stepOf(found[1], found[2]));
  }
  return { steps, isQuoted };
};

/** Whether a key is written without quotes behind a dot. */
export const isBareKey = (key: string): boolean => nameAfterDot.test(key);

const writeStep = (path: string, segment: ReadStep): string => {
  if (segment === null) return `${path}[]`;
  if (typeof segment === 'number') return `${path}[${segment}]`;
  if (path === '') return nameFirst.test(segment) && segment !== 'this' ? segment : `[${quote(segment)}]`;
  return isBareKey(segment) ? `${path}.${segment}` : `${path}[${quote(segment)}]`;
};

/**
 * Writes the steps of a path, so that {@link readPath} and every placeholder read the same steps.
 *
 * @param start the path that they continue; the root of the data where it is left out
 */
export const writePath = (steps: readonly ReadStep[], start = ''): string => {
  const [first] = steps;
  // A number continues a value, and so does every item.
  const from = start === '' && typeof first !== 'string' ? 'this' : start;
  return steps.reduce<string>(writeStep, from);
};
