import type { TextKind } from './escape.ts';

/** Length in Unicode code points, the unit of the platform's limits. */
export const codePoints = (text: string): number => {
  let count = text.length;
  for (let index = 0; index < text.length - 1; index += 1) {
    if (isHigh(text.charCodeAt(index)) && isLow(text.charCodeAt(index + 1))) {
      count -= 1;
      index += 1;
    }
  }
  return count;
};

const isHigh = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
const isLow = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;

/** Whether a text has more than `max` code points. These never outnumber its UTF-16 units, so most need no counting. */
export const isLonger = (text: string, max: number): boolean =>
  text.length > max && (text.length > 2 * max || codePoints(text) > max);

/** The UTF-16 index behind the first `count` code points. */
const indexAfter = (text: string, count: number): number => {
  let index = 0;
  for (let seen = 0; seen < count && index < text.length; seen += 1) {
    index += isHigh(text.charCodeAt(index)) && isLow(text.charCodeAt(index + 1)) ? 2 : 1;
  }
  return index;
};

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** Below the first combining mark every character stands alone, but for a line feed after a carriage return. */
const FIRST_COMBINING = 0x300;
/** A grapheme may reach this far beyond the cut; longer ones occur in hostile input only. */
const REACH = 64;

/** The start of the grapheme that a cut at `index` would split, else `index`. */
const beforeGrapheme = (text: string, index: number): number => {
  const before = text.charCodeAt(index - 1);
  const after = text.charCodeAt(index);
  if (before < FIRST_COMBINING && after < FIRST_COMBINING && before !== 13) return index;
  const found = graphemes.segment(text.slice(0, index + REACH)).containing(index);
  if (found === undefined) return index;
  // A text that is one endless grapheme is cut inside it rather than away.
  return found.index === 0 && found.segment.length > REACH ? index : found.index;
};

const entityStart = /^<[@#!a-zA-Z]/;

/** The start of the `<…>` or `&…;` that a cut at `index` would split, else `index`. */
const beforeEntity = (text: string, index: number): number => {
  const open = text.lastIndexOf('<', index - 1);
  if (open !== -1 && entityStart.test(text.slice(open, open + 2))) {
    const close = text.indexOf('>', open);
    if (close >= index) return open;
  }
  const ampersand = text.lastIndexOf('&', index - 1);
  if (ampersand !== -1 && index - ampersand <= 5) {
    const name = /^&(?:amp|lt|gt|#96);/.exec(text.slice(ampersand, ampersand + 5))?.[0];
    if (name !== undefined && ampersand + name.length > index) return ampersand;
  }
  return index;
};

const LONGEST_EMOJI = 100;
const emojiName = /^:[a-z0-9_+'-]+(?:::skin-tone-[2-6])?:/;

/** The start of the `:emoji:` that a cut at `index` would split, else `index`. */
const beforeEmoji = (text: string, index: number): number => {
  const start = Math.max(0, index - LONGEST_EMOJI);
  let found = index;
  for (let at = text.lastIndexOf(':', index - 1); at >= start; at = text.lastIndexOf(':', at - 1)) {
    const name = emojiName.exec(text.slice(at, at + LONGEST_EMOJI))?.[0];
    if (name !== undefined && at + name.length > index) {
      found = at;
      // A skin tone belongs to the emoji before it.
      if (!name.startsWith(':skin-tone-')) break;
    }
    if (at === 0) break;
  }
  return found;
};

/**
 * Cuts a text to `max` code points with `…` as the last of them, never inside a `<…>`, an `&…;`, an `:emoji:`, a
 * surrogate pair or a grapheme. A text that fits comes back as it is.
 */
export const cutText = (text: string, max: number, kind: TextKind): string => {
  if (!isLonger(text, max)) return text;
  if (max < 1) return '';
  const marked = kind === 'mrkdwn' || kind === 'markdown';
  const grapheme = beforeGrapheme(text, indexAfter(text, max - 1));
  const emoji = kind === 'exact' ? grapheme : beforeEmoji(text, grapheme);
  const end = marked ? beforeEntity(text, emoji) : emoji;
  return `${text.slice(0, end)}…`;
};
