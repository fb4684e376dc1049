import { wellFormed } from './escape.ts';

/** White space, controls, and what RFC 3986 and, of marks of the direction of writing, RFC 3987 let no address hold. */
const unfit = /[\s\p{Cc}\p{Bidi_Control}<>"\\^`{|}]/gu;

/** A text with what no address may hold percent-encoded. Marks with a meaning in addresses stay, and so do letters. */
export const encodeUnfit = (text: string): string => text.replace(unfit, encodeURIComponent);

/** A value as a part of an address, or as a whole one, which passes unchanged. */
export const inAddress = (value: string): string => encodeUnfit(wellFormed(value));

/** A value as a part of the address of `[label](address)`, which parentheses would end. */
export const inParentheses = (value: string): string =>
  inAddress(value).replace(/[()]/g, (mark) => (mark === '(' ? '%28' : '%29'));
