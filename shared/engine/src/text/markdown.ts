import { cleanPlain } from './escape.ts';
import { joinLines, oneLine, trimIn } from './lines.ts';
import { endsInFence } from './markdown-end.ts';
import { LOOK_BACK, openAngle } from './markdown-patterns.ts';
import { scanMarkdown } from './markdown-scan.ts';
import { markPartOfEach } from './marks.ts';
import { positionInMark, ZERO_WIDTH } from './mrkdwn-values.ts';
import { type LinePosition, labelPosition, type Position, textPosition, wholePosition } from './positions.ts';
import { offsetsOf, type Scan, STAND_IN } from './scan.ts';
import { inAddress, inParentheses } from './value-in-address.ts';

const marks = /[\\`*[\]~<>&]|_/g;
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

const wordCharacter = /[\p{L}\p{N}]/u;

/** Escapes the marks that work anywhere in a line. An underscore inside a word is none. */
const escapeMarks = (value: string): string =>
  value.replace(marks, (mark, index: number) => {
    const isInWord =
      mark === '_' &&
      wordCharacter.test(value.charAt(index - 1)) &&
      wordCharacter.test(value.charAt(index + 1));
    return isInWord ? mark : (entities[mark] ?? `\\${mark}`);
  });

/**
 * The start of a line behind the marks of quotes and list items. There is one way to part a line for it: the spaces behind
 * a mark belong to the mark, up to the next quote.
 */
const lineStart = /(?:^|\n)[ \t>]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+(?:>[ \t>]*)?)*$/;

/** Escapes what would make a heading, a list, a rule or code of a line. It stands behind the marks of its containers. */
const escapeStart = (line: string): string =>
  line
    .trimStart()
    .replace(/^(?:[-+](?=\s|$)|-[-\s]*$|=+\s*$|#{1,6}(?=\s|$))/, '\\$&')
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2');

/** The last marks of a heading's line belong to no text. */
const escapeEnd = (line: string): string => line.replace(/(^|\s)(#+\s*)$/, '$1\\$2');

/** The last characters of a text that may be the first half of the mark of a heading, an item or a rule. */
const halfMark = /(?:#{1,6}|\d{1,9}|[-+]+|=+)$/;

/** Whether a line begins with what its next characters may make a mark of: `#{{number}}`. */
const endsInHalfMark = (before: string): boolean => {
  const { index } = halfMark.exec(before) ?? {};
  return index !== undefined && lineStart.test(before.slice(0, index));
};

const startsOtherHalf = /^(?:[#.)=+-]|\d+[.)])/;

/** Escapes the first character of a value that the text in front of it would make a mark with. */
const escapeJoint = (escaped: string, value: string, before: string): string => {
  const [first = ''] = value;
  const joinsMark = /<$/.test(before) && /[a-z/!?]/i.test(first);
  const joinsEntity = /&#?\w*$/.test(before) && /[\w#;]/.test(first);
  const joinsLine = startsOtherHalf.test(value) && endsInHalfMark(before);
  if (joinsMark || joinsEntity || joinsLine) {
    const length = escaped.startsWith('\\') ? first.length + 1 : first.length;
    return `&#${first.codePointAt(0)};${escaped.slice(length)}`;
  }
  return before.endsWith(']') && /[(:]/.test(first) ? `\\${escaped}` : escaped;
};

/** A value whose last line end would let the text behind it begin a line. */
const withoutLastLine = (value: string): string => {
  const kept = value.trimEnd();
  return /[\r\n]/.test(value.slice(kept.length)) ? `${kept} ` : value;
};

/** In a row of a table a `|` begins a cell. */
const withBars = (written: string, isCell: boolean): string =>
  isCell && written.includes('|') ? written.replaceAll('|', '\\|') : written;

/** A value apart from the marks inside of a word, which work next to letters alone. */
const besideWord = (written: string, { isBehindWord, isBeforeWord }: LinePosition): string => {
  if (!isBehindWord && !isBeforeWord) return written;
  const start = isBehindWord && /^[^\p{L}\p{N}\s]/u.test(written) ? ZERO_WIDTH : '';
  return start + written + (isBeforeWord && /[^\p{L}\p{N}\s]$/u.test(written) ? ZERO_WIDTH : '');
};

const asText = (given: string, before: string, position: LinePosition): string => {
  const { styles, isTightBefore, isTightAfter, next, isCell } = position;
  // First, since spaces are at an edge where what cannot be posted stood behind them.
  const clean = cleanPlain(given);
  const value = isCell || position.isOneLine ? oneLine(clean) : clean;
  const near = before.slice(-LOOK_BACK);
  const isAtStart = lineStart.test(near);
  const isBehindHalf = /^\s/.test(value) && endsInHalfMark(near);
  const isTightAtStart = isTightBefore || isAtStart || isBehindHalf;
  const start = trimIn(value, styles, { isTightBefore: isTightAtStart, isTightAfter: false });
  const end = next === '' || next === '\n' ? start : withoutLastLine(start);
  const tight = isTightAfter ? end.trimEnd() : end;
  if (tight === '') return '';
  const lines = escapeMarks(tight).split(/\r\n?|\n/);
  const escaped = lines.map((line, index) => escapeEnd(index > 0 || isAtStart ? escapeStart(line) : line));
  const joined = escapeJoint(joinLines(escaped, position, 'markdown'), tight, near);
  const written = next === '[' && joined.endsWith('!') ? `${joined.slice(0, -1)}\\!` : joined;
  return besideWord(withBars(written, isCell), position);
};

const SPACE = 32;
const DOT = 46;
const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isWord = (code: number): boolean =>
  isDigit(code) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);

/** Characters that mean nothing inside a line, wherever it stands. */
const quiet = Uint8Array.from({ length: 128 }, (_, code) =>
  isWord(code) || ' .,:;/@%?$-'.includes(String.fromCharCode(code)) ? 1 : 0,
);
/** Characters that a word behind them may make a mark or an entity with, letters and digits aside. */
const joinsWord = new Set([...'<&#_'].map((character) => character.charCodeAt(0)));

/** Whether a value is the same everywhere in text, as most are: words, numbers and addresses in one line. */
const isQuiet = (value: string, before: string): boolean => {
  const [first, last] = [value.charCodeAt(0), value.charCodeAt(value.length - 1)];
  const behind = before.charCodeAt(before.length - 1);
  if (!isWord(first) || last === SPACE || isWord(behind) || joinsWord.has(behind)) return false;
  // With a space behind it `1.` begins an item.
  if (isDigit(first) && (last === DOT || value.includes(' '))) return false;
  for (let index = 0; index < value.length; index += 1) {
    if (quiet[value.charCodeAt(index)] !== 1) return false;
  }
  return true;
};

/** Whether a value needs no work in text: letters, digits and spaces in one line, between none that it could join. */
const isPlain = (value: string): boolean => /^[\p{L}\p{N} ,]*$/u.test(value);

/** What a value may make a mark with, and what may be the start of a line. */
const joins = new Set(['', '<', '&', ']', '\n', ' ', '>', ...'#0123456789;-+']);

const inText =
  (position: LinePosition): Position['write'] =>
  (value, before) => {
    if (!position.isBeforeWord && isQuiet(value, before)) return value;
    const isTight = position.isTightBefore || position.isTightAfter;
    return isPlain(value) && !isTight && !joins.has(before.slice(-1))
      ? value
      : asText(value, before, position);
  };

/** An address that has begun behind a `<`: where the value before was none, the next one is none. */
const openAutolink = /<[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*$/;

/** An address between `<` and `>`, where no escape works. A value that would be no address there is text. */
const inAutolink =
  (position: LinePosition): Position['write'] =>
  (value, before) =>
    (before.endsWith('<') && /^(?:https?:\/\/|mailto:)/i.test(value)) || openAutolink.test(before)
      ? inAddress(value)
      : asText(value, before, position);

/** A value that comes out empty keeps the backticks of two codes apart, which would be one mark. */
const betweenTicks = (write: Position['write'], next: string): Position['write'] =>
  next === '`' ? (value, before) => write(value, before) || (before.endsWith('`') ? ZERO_WIDTH : '') : write;

/** A list, a quote, a heading or a block of code, which begin on a line of their own. */
const blockStart = /^ {0,3}(?:`{3,}|~{3,}|(?:[-+*>]|\d{1,9}[.)]|#{1,6})[ \t])/;

/** A text without the spaces that would indent it, or what stands behind it, where a line begins. */
const withoutIndent = (text: string, before: string): string => {
  const shown = text.replace(/([\r\n])[ \t]+$/, '$1');
  const isIndent = /^(?: {4}|\t|[ \t]*[\r\n])/.test(shown) || shown.trim() === '';
  return isIndent && lineStart.test(before.slice(-LOOK_BACK)) ? shown.trimStart() : shown;
};

/** Puts a text of several lines into the quote, the list item and the styles around. */
const bendLines = (given: string, before: string, position: LinePosition): string => {
  const marked = withoutIndent(given, before);
  if (!/[|\r\n]/.test(marked)) return marked;
  const { prefix, next, isOneLine, isCell } = position;
  if (isCell) return oneLine(marked).replace(/(?<!\\)\|/g, '\\|');
  if (isOneLine) return oneLine(marked);
  const isBlock = marked.includes('\n') && blockStart.test(marked);
  const start = isBlock && !lineStart.test(before.slice(-LOOK_BACK)) ? `\n${prefix}` : '';
  const end = next !== '' && next !== '\n' && endsInFence.test(marked) ? `\n${prefix}` : '';
  return start + joinLines(marked.split(/\r\n?|\n/), position, 'markdown') + end;
};

/** Marks of a value apart from those of the template, with which they would be others. */
const apartFrom = (marked: string, before: string, next: string): string => {
  const isAtMark = /[`~]$/.test(before) && before.at(-1) === marked[0];
  const isBehindAngle = marked.includes('`') && openAngle.test(before.slice(-LOOK_BACK));
  const start = before.endsWith(']') && /^[(:[]/.test(marked) ? '\\' : '';
  const isBeforeMark = (next === '`' || next === '~') && marked.endsWith(next);
  const end = next === '[' && marked.endsWith('!') ? `${marked.slice(0, -1)}\\!` : marked;
  return (isAtMark || isBehindAngle ? ZERO_WIDTH : start) + end + (isBeforeMark ? ZERO_WIDTH : '');
};

const inSpan = (value: string): string => cleanPlain(oneLine(value));
const inCellSpan = (value: string): string => withBars(inSpan(value), true);

/** A zero-width space in front keeps the value from beginning a block. */
const spanWriter = ({ isCell, besideFence }: LinePosition): Position['write'] => {
  const write = isCell ? inCellSpan : inSpan;
  return besideFence === undefined ? write : (value) => ZERO_WIDTH + write(value);
};

const inBlock = ({ prefix, besideFence }: LinePosition): Position['write'] => {
  const [start, end] = [
    besideFence === 'behind' ? ZERO_WIDTH : '',
    besideFence === 'before' ? ZERO_WIDTH : '',
  ];
  return (value) => start + cleanPlain(value).replace(/\r\n?|\n/g, `\n${prefix}`) + end;
};

const positionOf = (found: LinePosition): Position => {
  const { name } = found;
  switch (name) {
    case 'markdown.code_span':
      return textPosition(name, spanWriter(found));
    case 'markdown.code_block':
      return textPosition(name, inBlock(found));
    case 'markdown.code_language':
      return textPosition(name, (value) => value.replace(/[^\w.+#-]/g, ''));
    case 'markdown.link_label':
      return {
        ...labelPosition(name, (value, before) => asText(oneLine(value), before, found)),
        bend: (marked, before) => apartFrom(oneLine(marked), before, found.next),
      };
    case 'markdown.link_title':
      return textPosition(name, (value, before) =>
        asText(oneLine(value), before, found).replace(/["'()]/g, '\\$&'),
      );
    case 'markdown.link_address':
      return wholePosition(name, (value) => inParentheses(value).replaceAll('&', '&amp;'));
    case 'markdown.autolink':
      return wholePosition(name, inAutolink(found));
    default:
      return {
        name: 'markdown.text',
        write: betweenTicks(inText(found), found.next),
        bend: (marked, before) =>
          besideWord(apartFrom(bendLines(marked, before, found), before, found.next), found),
        takesMarks: true,
        takesStyles: true,
        isOneLine: found.isOneLine || found.isCell || found.isDeep || found.styles.length > 0,
        styles: found.styles,
        isTightBefore: found.isTightBefore,
        isTightAfter: found.isTightAfter,
        hasLoneTicks: found.hasLoneTicks,
        isWhole: false,
      };
  }
};

/** The position of text between other text, where no line begins. */
const inLine: LinePosition = {
  name: 'markdown.link_label',
  prefix: '',
  styles: [],
  isTightBefore: false,
  isTightAfter: false,
  isBehindWord: false,
  isBeforeWord: false,
  next: '',
  isCell: false,
  isOneLine: true,
  isDeep: false,
  besideFence: undefined,
  hasLoneTicks: true,
};

/** A text as the label of a link. */
export const asLabel = (value: string): string => asText(oneLine(value), '[', inLine);

/**
 * The same text with a backslash before each mark that a value, which may hold its other half, would make work: a backtick
 * that begins no code, and the `(` of `[label](` that begins no address.
 */
export const withoutLoneMarks = (pieces: readonly string[]): readonly string[] => {
  if (pieces.length === 1 || !pieces.some((piece) => /`|\]\(/.test(piece))) return pieces;
  const lone = new Set(scanMarkdown(pieces.join(STAND_IN), offsetsOf(pieces)).lone);
  if (lone.size === 0) return pieces;
  let from = 0;
  return pieces.map((piece) => {
    const start = from;
    from += piece.length + 1;
    return piece.replace(/[`(]/g, (mark, at: number) => (lone.has(start + at) ? `\\${mark}` : mark));
  });
};

/** Finds the position of every value of a text in standard Markdown. */
export const planMarkdown = (pieces: readonly string[], whole: string, holes: readonly number[]): Scan => {
  const { positions, spans, code, bars } = scanMarkdown(whole, holes);
  const parts = /<[@#!]/.test(whole) ? markPartOfEach(pieces) : [];
  return {
    positions: positions.map((found, index): Position => {
      const part = parts[index];
      // Mentions and dates of the platform work in Markdown as well.
      const isMark = found.name === 'markdown.text' && (part === 'id' || part === 'argument');
      return isMark ? positionInMark[part] : positionOf(found);
    }),
    spans,
    code,
    bars,
  };
};
