import { wellFormed } from './escape.ts';

const encode = (mark: string): string =>
  `%${(mark.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(2, '0')}`;

/** Controls, the space and the marks that RFC 3986 lets no address hold. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: controls are what must not pass
const unfit = /[\u0000-\u0020\u007f"<>\\^`{|}]/g;

/**
 * A value as a part of an address. What an address may hold stays as it is, so that a whole address passes unchanged, and
 * so do letters of other scripts, which clients encode themselves.
 */
export const inAddress = (value: string): string => wellFormed(value).replace(unfit, encode);

/** A value as a part of the address of `[label](address)`, which parentheses would end. */
export const inParentheses = (value: string): string => inAddress(value).replace(/[()]/g, encode);
