/**
 * What a text is to the platform. In `mrkdwn` and `markdown` marks of the text become mentions, broadcasts and links,
 * so values are escaped there; in `plain` text and in `exact` strings (ids, addresses, values) nothing is read into it.
 */
export type TextKind = 'mrkdwn' | 'markdown' | 'plain' | 'exact';

const AMPERSAND = 38;
const LESS = 60;
const GREATER = 62;
const OPEN_BRACKET = 91;
const BACKSLASH = 92;
const CLOSE_BRACKET = 93;
const FIRST_SURROGATE = 0xd800;
const LAST_SURROGATE = 0xdfff;

/** Lone surrogates and U+0000 cannot be stored or posted everywhere; what takes their place cannot be told apart. */
const wellFormed = (value: string): string => value.toWellFormed().replaceAll('\0', '');

const escapeEntities = (value: string): string =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const isOdd = (code: number): boolean => code === 0 || (code >= FIRST_SURROGATE && code <= LAST_SURROGATE);

const cleanMrkdwn = (value: string): string => {
  for (let index = 0; index < value.length; index += 1) {
    const code = value.charCodeAt(index);
    // The codes of letters lie between those of the marks and the surrogates.
    if (code > GREATER && code < FIRST_SURROGATE) continue;
    if (code === AMPERSAND || code === LESS || code === GREATER || isOdd(code)) {
      return escapeEntities(wellFormed(value));
    }
  }
  return value;
};

/** Standard markdown makes a link of brackets too, so these are escaped, and the escape character with them. */
const cleanMarkdown = (value: string): string => {
  for (let index = 0; index < value.length; index += 1) {
    const code = value.charCodeAt(index);
    const marks = code === OPEN_BRACKET || code === CLOSE_BRACKET || code === BACKSLASH;
    if (marks || code === AMPERSAND || code === LESS || code === GREATER || isOdd(code)) {
      return escapeEntities(wellFormed(value)).replace(/[[\]\\]/g, '\\$&');
    }
  }
  return value;
};

const cleanPlain = (value: string): string => {
  for (let index = 0; index < value.length; index += 1) {
    if (isOdd(value.charCodeAt(index))) return wellFormed(value);
  }
  return value;
};

const cleaners: Record<TextKind, (value: string) => string> = {
  mrkdwn: cleanMrkdwn,
  markdown: cleanMarkdown,
  plain: cleanPlain,
  exact: cleanPlain,
};

/** Escapes a value of the data for a kind of text. */
export const cleanerOf = (kind: TextKind): ((value: string) => string) => cleaners[kind];
