const placeholders = /\{\{.*?(?:\}\}|$)/gs;

/** A name that is no part of a longer one. */
const wholeName = (name: string): RegExp =>
  new RegExp(
    `(?<![\\p{L}\\p{N}_$])${name.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')}(?![\\p{L}\\p{N}_$])`,
    'u',
  );

/**
 * A text with another name in the place of a misspelt one. In a text with placeholders it is one of theirs: the words
 * around them are often the same. Other texts are a path or a name themselves.
 */
export const mendedText = (text: string, given: string, name: string): string => {
  const misspelt = wholeName(given);
  const found = [...text.matchAll(placeholders)].find(([written]) => misspelt.test(written));
  if (found === undefined) return text.replace(given, () => name);
  const [written] = found;
  const end = found.index + written.length;
  return text.slice(0, found.index) + written.replace(misspelt, () => name) + text.slice(end);
};
