import { cleanEntities, cleanPlain, searcherOf } from './escape.ts';
import { joinLines, type Lines, oneLine, trimIn } from './lines.ts';
import type { MarkPart } from './marks.ts';
import { asItIs, labelPosition, type Position, textPosition, wholePosition } from './positions.ts';
import { inAddress } from './value-in-address.ts';

/** Marks stop working behind it, and readers do not see it. */
export const ZERO_WIDTH = '\u200B';
/** Looks like a backtick and opens no code. */
const LIKE_BACKTICK = '\u02CB';

/** A value as code in a line of mrkdwn. */
export const inSpan = (value: string): string => cleanEntities(oneLine(value).replaceAll('`', LIKE_BACKTICK));

/** Backticks that make no code in a text of their own, and would with those behind it, as what looks like them. */
export const withoutLoneTicks = (text: string): string =>
  text.replace(/```.*?```|`[^`\n]+`|`/gs, (found) => (found === '`' ? LIKE_BACKTICK : found));

/** Three backticks end a block of code, and so may fewer at its ends together with those of the template. */
export const inBlock = (value: string): string =>
  cleanEntities(
    cleanPlain(value)
      .replace(/`(?=``)|(?<=`)`(?=`)/g, `$&${ZERO_WIDTH}`)
      .replace(/^`/, `${ZERO_WIDTH}\``)
      .replace(/`$/, `\`${ZERO_WIDTH}`),
  );

const word = /[\p{L}\p{N}]/u;
export const isWord = (character: string): boolean => character !== '' && word.test(character);
export const isSpace = (character: string): boolean => /\s/.test(character);
const styleMarks = /[*_~]+/g;
/** An address in a text, in which an underscore is no mark. */
const webAddress = /https?:\/\/[^\s*~]*[\p{L}\p{N}/]/gu;
/** The start of an address that a value may go on: `https://e.com/{{path}}`. */
const openAddress = /https?:\/\/[^\s*~<>|]*$/u;
/** Longer addresses are looked for in their last characters alone. */
const LOOK_BACK = 300;

/** The surroundings of a value that decide whether a mark in it would work. */
interface Surroundings {
  /** Whether a mark stands in the template behind the value, where a mark of the value may find its other half. */
  readonly isBehind: (mark: string) => boolean;
  /** The character behind the value; empty where another value or nothing follows. */
  readonly next: string;
}

/**
 * Whether a mark of a value finds its other half: in the value, before it, or behind it. A later value looks back here.
 */
const isPaired = (mark: string, value: string, before: string, { isBehind }: Surroundings): boolean =>
  value.indexOf(mark) !== value.lastIndexOf(mark) || isBehind(mark) || before.includes(mark);

/** The borders of the addresses in a value, also of one that begins before it or goes on behind it. */
const addressesIn = (
  value: string,
  before: string,
  next: string,
): (readonly [from: number, to: number])[] => {
  const [start = ''] = openAddress.exec(before.slice(-LOOK_BACK)) ?? [];
  return [...`${start}${value}${next}`.matchAll(webAddress)].map(({ index, 0: found }) => {
    const from = index - start.length;
    return [from, from + found.length];
  });
};

/** Stops the marks of a value that would begin or end bold, italic or struck text: those at the border of a word. */
const withoutStyles = (value: string, before: string, around: Surroundings): string => {
  const addresses = addressesIn(value, before, around.next);
  return value.replace(styleMarks, (run, index: number) => {
    const isInAddress = addresses.some(([from, to]) => from <= index && index + run.length <= to);
    const isAlone = ![...run].some((mark) => isPaired(mark, value, before, around));
    if (isInAddress || isAlone) return run;
    const previous = value.charAt(index - 1) || before.slice(-1);
    const following = value.charAt(index + run.length) || around.next;
    const opens = !isWord(previous) && !isSpace(following);
    const closes = !isWord(following) && !isSpace(previous);
    // Of several marks the inner ones stand at no letter.
    return opens || closes || run.length > 1 ? `${ZERO_WIDTH}${[...run].join(ZERO_WIDTH)}${ZERO_WIDTH}` : run;
  });
};

const withoutCode = (value: string, before: string, around: Surroundings): string =>
  isPaired('`', value, before, around) ? value.replaceAll('`', LIKE_BACKTICK) : value;

/** A `>` at the start of a line makes a quote of it, also as an entity. */
const withoutQuotes = (value: string, before: string): string => {
  const isAtStart = before === '' || before.endsWith('\n');
  return value.replace(/^>/gm, (mark, index: number) =>
    index > 0 || isAtStart ? `${ZERO_WIDTH}${mark}` : mark,
  );
};

export interface TextSurroundings extends Surroundings, Lines {
  /** A mark of the template stands directly before or behind; one next to a space would not work. */
  readonly isTightBefore: boolean;
  readonly isTightAfter: boolean;
}

const formatting = /[*_~`>]/;
/** Most values hold none of these and are written as they are. */
const hasMarks = searcherOf('&<>*_~`\r');

/** Whether a value may begin or end with a space. */
const hasBorder = (value: string): boolean => {
  const [first, last] = [value.charCodeAt(0), value.charCodeAt(value.length - 1)];
  return first <= 32 || first > 127 || last <= 32 || last > 127;
};

/** Text of a value without marks that work. */
const tame = (value: string, before: string, around: Surroundings): string =>
  formatting.test(value) ? withoutStyles(withoutCode(value, before, around), before, around) : value;

/** A text of several lines, each of which stays in the quote and the styles around. Code stays as it is. */
const bendLines = (marked: string, lines: Lines): string =>
  marked
    .split(/(```.*?```)/s)
    .map((text, index) => (index % 2 === 1 ? text : joinLines(text.split('\n'), lines, 'mrkdwn')))
    .join('');

/** In a style each line of a value stands between marks of its own, so that its marks are judged line by line. */
const tameLines = (value: string, before: string, around: TextSurroundings): string => {
  const { styles } = around;
  if (styles.length === 0) return tame(withoutQuotes(value, before), before, around);
  const opening = styles.join('');
  return value
    .split('\n')
    .map((line, index, lines) => {
      const start = index === 0 ? line : line.trimStart();
      const inside = index === lines.length - 1 ? start : start.trimEnd();
      return tame(inside, index === 0 ? before : opening, around);
    })
    .join('\n');
};

const inText = (around: TextSurroundings): Position['write'] => {
  const { prefix, styles, isTightBefore, isTightAfter } = around;
  const isFree = prefix === '' && styles.length === 0;
  const isBent = !isFree || isTightBefore || isTightAfter;
  return (value, before) => {
    if (!hasMarks(value) && !(isBent && (hasBorder(value) || value.includes('\n')))) return value;
    const clean = cleanPlain(value);
    const lines = clean.includes('\r') ? clean.replace(/\r\n?/g, '\n') : clean;
    // Trimmed first: what stands at the border decides which marks of the value could work.
    const trimmed = trimIn(lines, styles, around);
    const tight = formatting.test(trimmed) ? tameLines(trimmed, before, around) : trimmed;
    return cleanEntities(
      isFree || !tight.includes('\n') ? tight : joinLines(tight.split('\n'), around, 'mrkdwn'),
    );
  };
};

/** The position of text between the words of the template. */
export const textIn = (around: TextSurroundings): Position => {
  const isStyled = around.styles.length > 0;
  const isFree = around.prefix === '' && !isStyled;
  return {
    name: 'mrkdwn.text',
    write: inText(around),
    bend: isFree ? asItIs : (marked) => (marked.includes('\n') ? bendLines(marked, around) : marked),
    takesMarks: true,
    takesStyles: true,
    isOneLine: isStyled,
    styles: around.styles,
    isTightBefore: around.isTightBefore,
    isTightAfter: around.isTightAfter,
    hasLoneTicks: false,
    isWhole: false,
  };
};

/** The position of a value in the label of a link. */
export const inLabel = (around: Surroundings): Position =>
  labelPosition('mrkdwn.link_label', (value, before) => cleanEntities(tame(oneLine(value), before, around)));

const percent = (mark: string): string => encodeURIComponent(mark);

/**
 * A value at the head of a mark could choose what the mark means: `<{{url}}|text>` is a link whatever the data says. What
 * cannot be posted is taken out before, since it may stand in front of what chooses.
 */
const disarm = (value: string, before: string): string =>
  before.endsWith('<') && /^[!@#]/.test(value)
    ? `%${value.charCodeAt(0).toString(16)}${value.slice(1)}`
    : value;

/** A value behind a `<` that the template never closes is text, but no value may make a mark of it. */
export const unclosed = textPosition('mrkdwn.text', (value, before) =>
  cleanEntities(disarm(cleanPlain(value), before)).replaceAll('|', '%7C'),
);

/** The position of a value in a mark of the platform. */
export const positionInMark: Readonly<Record<Exclude<MarkPart, 'label'>, Position>> = {
  head: wholePosition('mrkdwn.link_address', (value, before) =>
    cleanEntities(disarm(inAddress(value), before)),
  ),
  address: wholePosition('mrkdwn.link_address', (value) => cleanEntities(inAddress(value))),
  id: wholePosition('mrkdwn.mention', (value) =>
    cleanEntities(value)
      .toWellFormed()
      .replace(/[^\w-]/gu, percent),
  ),
  argument: wholePosition('mrkdwn.argument', (value) => cleanEntities(value).replace(/[|^]/g, percent)),
  // The template is refused before a value gets here.
  broadcast: wholePosition('mrkdwn.mention', () => ''),
};
