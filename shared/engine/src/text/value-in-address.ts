import { wellFormed } from './escape.ts';

/** White space, controls, and what RFC 3986 and, of marks of the direction of writing, RFC 3987 let no address hold. */
const unfit = /[\s\p{Cc}\p{Bidi_Control}<>"\\^`{|}]/gu;

/** A text with what no address may hold percent-encoded. Marks with a meaning in addresses stay, and so do letters. */
const encodeUnfit = (text: string): string => text.replace(unfit, encodeURIComponent);

/** A value as a part of an address, or as a whole one, which passes unchanged. */
export const inAddress = (value: string): string => encodeUnfit(wellFormed(value));

/** A value as a part of the address of `[label](address)`, which parentheses would end. */
export const inParentheses = (value: string): string =>
  inAddress(value).replace(/[()]/g, (mark) => (mark === '(' ? '%28' : '%29'));

/** The scheme and the host, in which nothing is encoded. */
const start = /^[a-z][a-z\d+.-]*:(?:\/\/[^/?#]*)?/i;

const SPACE = 32;
const DELETE = 127;
const odd = new Set(['<', '>', '"', '\\', '^', '`', '{', '|', '}'].map((it) => it.charCodeAt(0)));
const isOdd = Uint8Array.from({ length: DELETE }, (_, code) => (code <= SPACE || odd.has(code) ? 1 : 0));

/** Whether a text is of ASCII characters alone that may stand in any address, as almost all are. */
export const isPlain = (text: string): boolean => {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code >= DELETE || isOdd[code] === 1) return false;
  }
  return true;
};

/**
 * An address that values of the data were put into, with what no address holds percent-encoded behind its host. Marks
 * with a meaning in addresses (`/ ? & = # % +`) stay, so that a whole address in the data passes unchanged.
 */
export const encodeAddress = (text: string): string => {
  if (isPlain(text)) return text;
  const trimmed = text.trim();
  const from = start.exec(trimmed)?.[0].length ?? 0;
  return trimmed.slice(0, from) + encodeUnfit(trimmed.slice(from));
};
