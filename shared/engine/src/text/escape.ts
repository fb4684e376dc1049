import { directions, endDirections } from './directions.ts';

/**
 * What a text is to the platform. In `mrkdwn` and `markdown` marks of the text become mentions, broadcasts, links and
 * styles, so values are escaped there; in `plain` text and in `exact` strings (ids, addresses, values) nothing is read
 * into it. What each position of a text does with a value is `positionRules` (`positions.ts`); for mrkdwn it is done in
 * `mrkdwn-values.ts`.
 */
export type TextKind = 'mrkdwn' | 'markdown' | 'plain' | 'exact';

/** Whether marks work in a kind of text. */
export const isMarked = (kind: TextKind): kind is 'mrkdwn' | 'markdown' =>
  kind === 'mrkdwn' || kind === 'markdown';

/** Lone surrogates and U+0000 cannot be stored or posted everywhere; what takes their place cannot be told apart. */
export const wellFormed = (value: string): string => value.toWellFormed().replaceAll('\0', '');

const escapeEntities = (value: string): string =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** What cannot be posted as it is: U+0000, halves of surrogate pairs, and marks that turn the text around them. */
const odd = String.raw`\0\ud800-\udfff${directions}`;

/** Whether a text holds one of some characters, as in a class of a regular expression, or what cannot be posted as it is. */
export const searcherOf = (characters: string): ((text: string) => boolean) => {
  // Without the flag `u` the pattern is matched unit by unit, which is faster than a loop.
  const pattern = new RegExp(`[${characters}${odd}]`);
  return (text) => pattern.test(text);
};

const isOdd = searcherOf('');
const hasEntities = searcherOf('&<>');

/** A value where nothing is a mark: what cannot be posted is taken out, and the text around it keeps its direction. */
export const cleanPlain = (value: string): string =>
  isOdd(value) ? endDirections(wellFormed(value)) : value;

/** A value with the characters of entities escaped: those that begin and end marks of the platform. */
export const cleanEntities = (value: string): string =>
  hasEntities(value) ? escapeEntities(cleanPlain(value)) : value;

/** Words of the template with the same characters escaped. */
export const escapeWords = (words: string): string =>
  hasEntities(words) ? escapeEntities(wellFormed(words)) : words;

/** A value that stays as it is, but for what cannot be posted. */
export const cleanExact = (value: string): string => (isOdd(value) ? wellFormed(value) : value);
