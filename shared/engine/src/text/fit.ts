import { codePoints, cutText } from './cut.ts';
import { cleanEntities } from './escape.ts';
import type { MixedText } from './mixed-text.ts';
import type { TextPlan, Token } from './plan.ts';
import type { Position } from './positions.ts';
import { SafeText } from './safe-text.ts';
import type { Region } from './scan.ts';
import { shareOf } from './share.ts';

/** The value of a placeholder, as its filters leave it. */
export type Value = string | SafeText | MixedText;

const ELLIPSIS = '…';

/** The text of a value, without the work of its position. */
export const plainOf = (value: Value): string => (typeof value === 'string' ? value : value.text);

const writeMixed = (position: Position, value: MixedText, before: string): string => {
  if (!position.takesMarks) return position.write(value.text, before);
  let written = '';
  for (const { text, isStyled } of value.parts) {
    written += isStyled ? cleanEntities(text) : position.write(text, before + written);
  }
  return written;
};

/** A value as it stands in its position. */
export const writeValue = (position: Position, value: Value, before: string): string => {
  if (typeof value === 'string') return position.write(value, before);
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

/** The longest run of the delimiters' character in the values of each region of code. */
const runsOf = ({ code }: TextPlan, values: readonly Value[]): Map<Region, number> => {
  const runs = new Map<Region, number>();
  code.forEach((region, index) => {
    const { mark } = region ?? {};
    if (region === undefined || mark === undefined) return;
    const longest = longestRun(plainOf(values[index] ?? ''), mark);
    if (longest > (runs.get(region) ?? 0)) runs.set(region, longest);
  });
  return runs;
};

/**
 * Whether the marks around a value depend on it: code whose delimiters it holds, and a link whose address it leaves empty.
 *
 * @param around the code or the link around the value
 */
export const bendsMarks = (around: Region | undefined, value: Value): boolean => {
  if (around === undefined) return false;
  return around.mark === undefined ? plainOf(value) === '' : plainOf(value).includes(around.mark);
};

const delimiter = (written: string, region: Region, run: number, isFirst: boolean): string => {
  const { mark = '`', isSpan = false } = region;
  const outer = run < written.length ? written : mark.repeat(run + 1);
  if (!isSpan) return outer;
  return isFirst ? `${outer} ` : ` ${outer}`;
};

/** Links that give way to their labels, and those of them that have no address. */
interface Links {
  readonly opened: ReadonlySet<Region>;
  readonly empty: ReadonlySet<Region>;
}

/** Puts a text together: longer delimiters around code that holds them, and labels in place of opened links. */
const compose = (plan: TextPlan, values: readonly Value[], { opened, empty }: Links): string => {
  const runs = runsOf(plan, values);
  const seen = new Set<Region>();
  const write = (token: Token, before: string): string => {
    const { region } = token;
    if ('value' in token) {
      const position = plan.positions[token.value];
      return position === undefined ? '' : writeValue(position, values[token.value] ?? '', before);
    }
    const run = region === undefined ? undefined : runs.get(region);
    if (region === undefined || run === undefined) return token.text;
    return delimiter(token.text, region, run, !seen.has(region));
  };
  const openUp = (region: Region): string =>
    region.hasLabel || empty.has(region) || seen.has(region) ? '' : ELLIPSIS;
  let text = '';
  for (const token of plan.tokens) {
    const { region } = token;
    text += region !== undefined && opened.has(region) ? openUp(region) : write(token, text);
    if (region !== undefined) seen.add(region);
  }
  return text;
};

/** A value in at most `room` characters of its position. */
export const shortenTo = (position: Position, value: Value, room: number): Value => {
  if (value instanceof SafeText) return new SafeText(value.shorten?.(room) ?? '');
  const at = (kept: number): Value => {
    if (typeof value === 'string') return cutText(value, kept, 'plain');
    const cut = cutText(value.text, kept, 'plain');
    return cut === value.text ? value : value.startOf(cut.length - ELLIPSIS.length, kept < 1 ? '' : ELLIPSIS);
  };
  const lengthAt = (kept: number): number => codePoints(writeValue(position, at(kept), ''));
  let [fits, high] = [0, room];
  while (fits < high) {
    const middle = (fits + high + 1) >> 1;
    if (lengthAt(middle) <= room) fits = middle;
    else high = middle - 1;
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

/** Links whose values leave them without an address. */
const emptyLinks = ({ links }: TextPlan, values: readonly Value[]): Set<Region> => {
  if (links.length === 0) return new Set();
  const found = new Set(links.filter((link) => link !== undefined));
  links.forEach((link, index) => {
    if (link !== undefined && plainOf(values[index] ?? '') !== '') found.delete(link);
  });
  return found;
};

/** One attempt at making the values of a text fit. */
class Fitting {
  readonly #plan: TextPlan;
  readonly #values: readonly Value[];
  readonly #opened: Set<Region>;
  readonly #empty: ReadonlySet<Region>;
  readonly #lengths: readonly number[];

  constructor(plan: TextPlan, values: readonly Value[]) {
    this.#plan = plan;
    this.#values = values;
    this.#empty = emptyLinks(plan, values);
    this.#opened = new Set(this.#empty);
    this.#lengths = values.map((value, index) => {
      const position = plan.positions[index];
      return position === undefined ? 0 : codePoints(writeValue(position, value, ''));
    });
  }

  /** The text with some values in place of those that it has. */
  text(values: readonly Value[] = this.#values): string {
    return compose(this.#plan, values, { opened: this.#opened, empty: this.#empty });
  }

  /** Gives each value its share of the room that the text of the template leaves. */
  share(room: number): Value[] {
    const { positions } = this.#plan;
    const values = [...this.#values];
    let left = this.#takeWhole(room, values);
    const open = values.flatMap((value, index) => {
      const position = positions[index];
      return position === undefined || isWhole(position, value) ? [] : [{ position, value, index }];
    });
    const lengths = open.map(({ index }) => this.#lengths[index] ?? 0);
    left = Math.max(0, left);
    const share = lengths.reduce((sum, length) => sum + length, 0) <= left ? left : shareOf(lengths, left);
    for (const { position, value, index } of open) {
      if ((this.#lengths[index] ?? 0) > share) values[index] = shortenTo(position, value, share);
    }
    return values;
  }

  /** Takes the values that stand there whole, in their order, and returns what room they leave. */
  #takeWhole(room: number, values: Value[]): number {
    const { positions, tokens } = this.#plan;
    const regions = new Map(
      tokens.flatMap((token) =>
        'value' in token && token.region?.kind === 'link' ? [[token.value, token.region] as const] : [],
      ),
    );
    let left = room - this.literal();
    this.#values.forEach((value, index) => {
      const position = positions[index];
      if (position === undefined || !isWhole(position, value)) return;
      const length = this.#lengths[index] ?? 0;
      const region = regions.get(index);
      if (region !== undefined && this.#opened.has(region)) return;
      if (length <= left) left -= length;
      else if (region === undefined) values[index] = '';
      else {
        this.#opened.add(region);
        left = room - this.literal() - this.#wholeBefore(index, regions, values);
      }
    });
    return left;
  }

  /** Characters of the whole values that were taken before one, without those of opened links. */
  #wholeBefore(end: number, regions: ReadonlyMap<number, Region>, values: readonly Value[]): number {
    return this.#lengths.slice(0, end).reduce((sum, length, index) => {
      const [position, region] = [this.#plan.positions[index], regions.get(index)];
      const value = values[index] ?? '';
      const isTaken = position !== undefined && isWhole(position, value) && plainOf(value) !== '';
      return isTaken && !(region !== undefined && this.#opened.has(region)) ? sum + length : sum;
    }, 0);
  }

  /** Characters of the text of the template. */
  literal(): number {
    return codePoints(this.text(this.#values.map(() => '')));
  }

  /** The values that are not what they were. */
  changed(values: readonly Value[]): number[] {
    return values.flatMap((value, index) => (value === this.#values[index] ? [] : [index]));
  }
}

/** Attempts at room for the values until they get none: the code around a value may outgrow what was saved. */
const ATTEMPTS = 20;

/**
 * Writes a text with its values shortened so that the whole has at most `room` characters. The text of the template stays
 * whole; where it alone is longer than that, so is the result.
 */
export const fitValues = (plan: TextPlan, values: readonly Value[], room: number): Fitted => {
  const fitting = new Fitting(plan, values);
  const whole = fitting.text();
  if (codePoints(whole) <= room) return { text: whole, shortened: [] };
  const literal = fitting.literal();
  let target = room;
  for (let attempt = 1; ; attempt += 1) {
    const shared = fitting.share(target);
    const text = fitting.text(shared);
    const excess = codePoints(text) - room;
    if (excess <= 0 || attempt === ATTEMPTS) return { text, shortened: fitting.changed(shared) };
    // A few characters too many are the rule; more come of code that grows with its values and shrinks with them.
    target -= Math.max(1, Math.min(excess, Math.ceil((target - literal) / 2)));
  }
};
