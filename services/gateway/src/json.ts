import type { ValidationIssue } from '@stanza/contracts';

const quote = 0x22;
const backslash = 0x5c;
const opens = new Set([0x5b, 0x7b]);
const closes = new Set([0x5d, 0x7d]);

/** True when the brackets of a JSON text nest deeper than `depth`; looks at the text, so that nothing deep is ever built. */
export const nestsDeeperThan = (text: string, depth: number): boolean => {
  let level = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === backslash) at += 1;
      else if (code === quote) inString = false;
    } else if (code === quote) inString = true;
    else if (opens.has(code)) {
      level += 1;
      if (level > depth) return true;
    } else if (closes.has(code)) level -= 1;
  }
  return false;
};

/**
 * True when a JSON text may hold what cannot be taken: only escapes bring in characters that cannot be stored, only
 * exponents and very long digits numbers that are none, and the one key that is no key has a name.
 */
export const mayBeUnacceptable = (text: string): boolean =>
  text.includes('\\u') || text.includes('__proto__') || /\d[eE]\+?\d{3}|\d{300}/.test(text);

const troubleOf = (text: string): string | undefined => {
  if (text.includes('\u0000')) return 'holds the character U+0000, which cannot be stored';
  return text.isWellFormed() ? undefined : 'holds half of a surrogate pair, which is no character';
};

const issueOf = (message: string | undefined, path: (string | number)[]): ValidationIssue[] =>
  message === undefined ? [] : [{ code: 'custom', path, message }];

const keyIssues = (key: string, path: (string | number)[]): ValidationIssue[] =>
  issueOf(key === '__proto__' ? 'is a name that no key can have' : troubleOf(key), path);

/** Lists every text that Postgres cannot store, every number that is none, and every key `__proto__`, each with its path. */
export const unacceptable = (value: unknown, path: (string | number)[] = []): ValidationIssue[] => {
  if (typeof value === 'string') return issueOf(troubleOf(value), path);
  if (typeof value === 'number')
    return issueOf(Number.isFinite(value) ? undefined : 'is too large a number', path);
  if (Array.isArray(value)) return value.flatMap((item, index) => unacceptable(item, [...path, index]));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const at = [...path, key.toWellFormed()];
    return [...keyIssues(key, at), ...unacceptable(inner, at)];
  });
};
