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

const unstorable = (text: string): string | undefined => {
  if (text.includes('\u0000')) return 'holds the character U+0000, which cannot be stored';
  return text.isWellFormed() ? undefined : 'holds half of a surrogate pair, which is no character';
};

/** Lists every string, key or value, that Postgres cannot store and that UTF-8 cannot carry. */
export const unstorableText = (value: unknown, path: (string | number)[] = []): ValidationIssue[] => {
  if (typeof value === 'string') return issueOf(value, path);
  if (Array.isArray(value)) return value.flatMap((item, index) => unstorableText(item, [...path, index]));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    ...issueOf(key, [...path, key.toWellFormed()]),
    ...unstorableText(inner, [...path, key.toWellFormed()]),
  ]);
};

const issueOf = (text: string, path: (string | number)[]): ValidationIssue[] => {
  const message = unstorable(text);
  return message === undefined ? [] : [{ code: 'custom', path, message }];
};
