/**
 * What a text is to the platform. In `mrkdwn` and `markdown` marks of the text become mentions, broadcasts, links and
 * styles, so values are escaped there; in `plain` text and in `exact` strings (ids, addresses, values) nothing is read
 * into it.
 */
export type TextKind = 'mrkdwn' | 'markdown' | 'plain' | 'exact';

/** Whether marks work in a kind of text. */
export const isMarked = (kind: TextKind): kind is 'mrkdwn' | 'markdown' =>
  kind === 'mrkdwn' || kind === 'markdown';

const AMPERSAND = 38;
const LESS = 60;
const GREATER = 62;
const FIRST_SURROGATE = 0xd800;
const LAST_SURROGATE = 0xdfff;

/** Lone surrogates and U+0000 cannot be stored or posted everywhere; what takes their place cannot be told apart. */
export const wellFormed = (value: string): string => value.toWellFormed().replaceAll('\0', '');

const escapeEntities = (value: string): string =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Codes below this have an entry in a table. */
const TABLE = 128;

/** Whether a text holds one of some ASCII characters, or what cannot be posted as it is. */
export const searcherOf = (characters: string): ((text: string) => boolean) => {
  const table = new Uint8Array(TABLE);
  for (const character of `\0${characters}`) table[character.charCodeAt(0)] = 1;
  return (text) => {
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      if (code < TABLE ? table[code] === 1 : code >= FIRST_SURROGATE && code <= LAST_SURROGATE) return true;
    }
    return false;
  };
};

const isOdd = (code: number): boolean => code === 0 || (code >= FIRST_SURROGATE && code <= LAST_SURROGATE);

/** A value with the characters of entities escaped: those that begin and end marks of the platform. */
export const cleanEntities = (value: string): string => {
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

/** A value where nothing is a mark: what cannot be posted is taken out. */
export const cleanPlain = (value: string): string => {
  for (let index = 0; index < value.length; index += 1) {
    if (isOdd(value.charCodeAt(index))) return wellFormed(value);
  }
  return value;
};
