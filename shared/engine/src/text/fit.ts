import { codePoints, cutText } from './cut.ts';
import { cleanPlain, escapeWords } from './escape.ts';
import type { MixedText } from './mixed-text.ts';
import type { Position } from './positions.ts';
import { MarkedText, SafeText } from './safe-text.ts';
import type { Region } from './scan.ts';
import { shareOf } from './share.ts';
import type { TextPlan, Token } from './text-plan.ts';

/** The value of a placeholder, as its filters leave it. */
export type Value = string | SafeText | MixedText;

const ELLIPSIS = '…';

/** The text of a value, without the work of its position. */
export const plainOf = (value: Value): string => (typeof value === 'string' ? value : value.text);

const writeMixed = (position: Position, value: MixedText, before: string): string => {
  if (!position.takesStyles) return position.write(value.text, before);
  let written = '';
  for (const { text, isStyled } of value.parts) {
    const so = before + written;
    // The line ends of the template are its own: `join:"\n- "` begins an item.
    const words = isStyled ? escapeWords(text) : undefined;
    if (words === undefined) written += position.write(text, so);
    else written += position.isOneLine ? position.bend(words, so) : words;
  }
  return written;
};

/** A value as it stands in its position. */
export const writeValue = (position: Position, value: Value, before: string): string => {
  if (typeof value === 'string') return position.write(value, before);
  if (value instanceof MarkedText) return position.bend(value.text, before);
  return value instanceof SafeText ? value.text : writeMixed(position, value, before);
};

const longestRun = (text: string, mark: string): number => {
  let [longest, run] = [0, 0];
  for (const character of text) {
    run = character === mark ? run + 1 : 0;
    if (run > longest) longest = run;
  }
  return longest;
};

/** The longest run of the delimiters' character in each region of code whose values hold it. */
const runsOf = ({ tokens }: TextPlan, values: readonly Value[]): Map<Region, number> => {
  const runs = new Map<Region, number>();
  let open: Region | undefined;
  let code = '';
  let isHeld = false;
  const close = (): void => {
    if (open?.mark !== undefined && isHeld) runs.set(open, longestRun(code, open.mark));
    [open, code, isHeld] = [undefined, '', false];
  };
  for (const token of tokens) {
    const { region } = token;
    if (region?.kind === 'code') {
      const isEnd = open === region;
      close();
      open = isEnd ? undefined : region;
    } else if (open?.mark !== undefined) {
      const isValue = 'value' in token;
      // What is taken out may stand between two marks.
      const text = isValue ? cleanPlain(plainOf(values[token.value] ?? '')) : token.text;
      isHeld ||= isValue && text.includes(open.mark);
      code += text;
    }
  }
  close();
  return runs;
};

/**
 * Whether the marks around a value depend on it: code whose delimiters it holds, and code, a style or a link that it
 * leaves empty.
 *
 * @param around the marks around the value
 */
export const bendsMarks = ({ mark, isBare = mark === undefined }: Region, value: Value): boolean => {
  const text = plainOf(value);
  return text === '' ? isBare : mark !== undefined && text.includes(mark);
};

const delimiter = (written: string, region: Region, run: number, isFirst: boolean): string => {
  const { mark = '`', isSpan = false } = region;
  const outer = run < written.length ? written : mark.repeat(run + 1);
  if (!isSpan) return outer;
  return isFirst ? `${outer} ` : ` ${outer}`;
};

/** Links that give way to their labels, and marks that are left out: links without an address, marks around nothing. */
interface Links {
  readonly opened: ReadonlySet<Region>;
  readonly empty: ReadonlySet<Region>;
}

/**
 * Puts a text together: longer delimiters around code that holds them, and labels in place of opened links.
 *
 * @param enough UTF-16 units after which the rest is left out
 */
const compose = (
  plan: TextPlan,
  values: readonly Value[],
  { opened, empty }: Links,
  enough = Number.POSITIVE_INFINITY,
): string => {
  const runs = runsOf(plan, values);
  const seen = new Set<Region>();
  const write = (token: Token, before: string): string => {
    const { region } = token;
    if ('value' in token) {
      const position = plan.positions[token.value];
      const value = values[token.value] ?? '';
      return position === undefined ? '' : writeValue(position, value, before);
    }
    const run = region === undefined ? undefined : runs.get(region);
    if (region === undefined || run === undefined) return token.text;
    return delimiter(token.text, region, run, !seen.has(region));
  };
  const openUp = (region: Region): string =>
    region.hasLabel || empty.has(region) || seen.has(region) ? '' : ELLIPSIS;
  const isOpened = ({ link }: Region): boolean => link !== undefined && opened.has(link);
  let text = '';
  for (const token of plan.tokens) {
    if (text.length > enough) break;
    const { region } = token;
    const isGone = region !== undefined && (opened.has(region) || isOpened(region));
    text += isGone ? openUp(region) : write(token, text);
    if (region !== undefined) seen.add(region);
  }
  return text;
};

/**
 * Characters that may be left unused in a long text where escapes make a value longer: looking for them costs more than
 * they are worth. Of a short one they would be most.
 */
const UNUSED = 4;

/** A value in at most `room` characters of its position. */
export const shortenTo = (position: Position, value: Value, room: number): Value => {
  if (value instanceof SafeText) return value.shortened(room);
  const at = (kept: number): Value => {
    if (typeof value === 'string') return cutText(value, kept, 'plain');
    const cut = cutText(value.text, kept, 'plain');
    return cut === value.text ? value : value.startOf(cut.length - ELLIPSIS.length, kept < 1 ? '' : ELLIPSIS);
  };
  const lengthAt = (kept: number): number => codePoints(writeValue(position, at(kept), ''));
  // A value is no longer than it is: more room than that changes nothing.
  const all = Math.min(room, plainOf(value).length);
  const unused = Math.min(UNUSED, room >> 4);
  let [fits, high, next] = [0, all, all];
  while (fits < high) {
    const length = lengthAt(next);
    if (length > room) high = next - 1;
    else if (room - length <= unused) return at(next);
    else fits = next;
    // Escapes are spread over most values evenly, so that the share that fits now is near the one that is sought.
    const guess = Math.floor((next * room) / Math.max(1, length));
    const middle = (fits + high + 1) >> 1;
    next = guess > fits && guess <= high ? guess : middle;
  }
  return at(fits);
};

/** A text whose values are made to fit. */
export interface Fitted {
  readonly text: string;
  /** The numbers of the values that are shorter than they were, or left out. */
  readonly shortened: readonly number[];
}

const isWhole = (position: Position, value: Value): boolean =>
  value instanceof SafeText ? value.shorten === undefined : position.isWhole;

/** Links without an address, and marks without anything between them, for the values are empty. */
const emptyRegions = ({ links, code }: TextPlan, values: readonly Value[]): Set<Region> => {
  const isEmpty = new Map<Region, boolean>();
  values.forEach((value, index) => {
    for (const region of [links[index], code[index]]) {
      if (region === undefined || (region.kind === 'code' && !region.isBare)) continue;
      isEmpty.set(region, plainOf(value) === '' && (isEmpty.get(region) ?? true));
    }
  });
  return new Set([...isEmpty].filter(([, empty]) => empty).map(([region]) => region));
};

/** A link around values: its marks give way together with its address. */
interface Link {
  /** Characters of its marks and of the template's part of its address, without its label. */
  marks: number;
  /** Characters of the values in its address. */
  address: number;
}

/** One text with its values, to be made shorter. */
class Fitting {
  readonly #plan: TextPlan;
  readonly #values: readonly Value[];
  readonly #lengths: readonly number[];
  readonly #empty: ReadonlySet<Region>;
  #opened: ReadonlySet<Region>;
  /** Characters of the text of the template. */
  readonly literal: number;
  /** Characters of the values as they are written. */
  readonly written: number;

  constructor(plan: TextPlan, values: readonly Value[]) {
    this.#plan = plan;
    this.#values = values;
    this.#empty = emptyRegions(plan, values);
    this.#opened = this.#empty;
    this.#lengths = values.map((value, index) => {
      const position = plan.positions[index];
      return position === undefined ? 0 : codePoints(writeValue(position, value, ''));
    });
    this.literal = codePoints(this.text(values.map(() => '')));
    this.written = this.#lengths.reduce((sum, length) => sum + length, 0);
  }

  /** The text with some values in place of those that it has; `enough` as for {@link compose}. */
  text(values: readonly Value[] = this.#values, enough?: number): string {
    return compose(this.#plan, values, { opened: this.#opened, empty: this.#empty }, enough);
  }

  /** Gives each value its share of the room that the text of the template leaves. */
  share(room: number): Value[] {
    const { positions } = this.#plan;
    const values = [...this.#values];
    const left = Math.max(0, this.#takeWhole(this.#takeLinks(room - this.literal), values));
    const open = values.flatMap((value, index) => {
      const position = positions[index];
      return position === undefined || isWhole(position, value) ? [] : [{ position, value, index }];
    });
    const lengths = open.map(({ index }) => this.#lengths[index] ?? 0);
    const isEnough = lengths.reduce((sum, length) => sum + length, 0) <= left;
    const share = isEnough ? left : shareOf(lengths, left);
    for (const { position, value, index } of open) {
      if ((this.#lengths[index] ?? 0) > share) values[index] = shortenTo(position, value, share);
    }
    return values;
  }

  /** Keeps the links that fit, in their order, and opens up the others; returns the room that is left. */
  #takeLinks(room: number): number {
    const opened = new Set(this.#empty);
    let left = room;
    for (const [region, { marks, address }] of this.#links()) {
      if (opened.has(region)) continue;
      if (address <= left) left -= address;
      else {
        opened.add(region);
        left += marks - (region.hasLabel ? 0 : ELLIPSIS.length);
      }
    }
    this.#opened = opened;
    return left;
  }

  #links(): ReadonlyMap<Region, Link> {
    const links = new Map<Region, Link>();
    for (const token of this.#plan.tokens) {
      const region = token.region?.link ?? token.region;
      if (region?.kind !== 'link') continue;
      const link = links.get(region) ?? { marks: 0, address: 0 };
      links.set(region, link);
      if ('text' in token) link.marks += codePoints(token.text);
      else link.address += this.#lengths[token.value] ?? 0;
    }
    return links;
  }

  /** Takes the other values that stand there whole, in their order, and returns the room that is left. */
  #takeWhole(room: number, values: Value[]): number {
    let left = room;
    for (const token of this.#plan.tokens) {
      if (!('value' in token) || token.region?.kind === 'link') continue;
      const position = this.#plan.positions[token.value];
      if (position === undefined || !isWhole(position, values[token.value] ?? '')) continue;
      const length = this.#lengths[token.value] ?? 0;
      if (length <= left) left -= length;
      else values[token.value] = '';
    }
    return left;
  }

  /** The numbers of the values that are not what they were, or stand in links that gave way. */
  changed(values: readonly Value[]): number[] {
    const given = new Set(
      this.#plan.tokens.flatMap((token) =>
        'value' in token && token.region !== undefined && this.#opened.has(token.region) ? [token.value] : [],
      ),
    );
    return values.flatMap((value, index) =>
      plainOf(this.#values[index] ?? '') === '' || (value === this.#values[index] && !given.has(index))
        ? []
        : [index],
    );
  }
}

/** Attempts at room for the values until they get none: the code around a value may outgrow what was saved. */
const ATTEMPTS = 20;

/**
 * Writes a text with its values shortened so that the whole has at most `room` characters. The text of the template
 * stays whole; where it alone is longer than that, so is the result.
 */
export const fitValues = (plan: TextPlan, values: readonly Value[], room: number): Fitted => {
  const fitting = new Fitting(plan, values);
  // A text of this many units is too long, however many of them make a character.
  const enough = 2 * room + 2;
  const whole = fitting.text(values, enough);
  if (codePoints(whole) <= room) return { text: whole, shortened: [] };
  const { literal } = fitting;
  // Where the text is too long for its code alone, the values have less than the room to begin with.
  let target = Math.min(room, literal + fitting.written);
  for (let attempt = 1; ; attempt += 1) {
    const shared = fitting.share(target);
    const excess = codePoints(fitting.text(shared, enough)) - room;
    if (excess <= 0 || target <= literal || attempt === ATTEMPTS) {
      return { text: fitting.text(shared), shortened: fitting.changed(shared) };
    }
    // A few characters too many are the rule; more come of code that grows with its values and shrinks with them.
    target -= Math.max(1, Math.min(excess, Math.ceil((target - literal) / 2)));
  }
};
