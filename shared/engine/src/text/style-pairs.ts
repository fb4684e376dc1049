import { firstFrom, STAND_IN } from './scan.ts';

/** Two marks of a style, of which one begins and the other ends it. */
interface Pair {
  readonly mark: string;
  readonly from: number;
  readonly to: number;
}

const noStyles: ReadonlyMap<number, readonly string[]> = new Map();

/** The marks around each value, the outermost first. A value that stands in no style has none. */
export const stylesOfEach = (
  pairs: readonly Pair[],
  holes: readonly number[],
): ReadonlyMap<number, readonly string[]> => {
  if (pairs.length === 0) return noStyles;
  const styles = new Map<number, string[]>();
  const sorted = pairs.length === 1 ? pairs : pairs.toSorted((one, other) => one.from - other.from);
  for (const { mark, from, to } of sorted) {
    for (let index = firstFrom(holes, from); (holes[index] ?? to) < to; index += 1) {
      const known = styles.get(index);
      if (known === undefined) styles.set(index, [mark]);
      else known.push(mark);
    }
  }
  return styles;
};

/** What stands next to a mark decides whether it works. A value counts as a word. */
type Neighbour = 'space' | 'punctuation' | 'word';

const neighbourOf = (character: string): Neighbour => {
  if (character === '' || /\s/.test(character)) return 'space';
  return /[\p{L}\p{N}]/u.test(character) ? 'word' : 'punctuation';
};

/** Most marks stand next to these, so that they are looked at once. */
const known: readonly Neighbour[] = Array.from({ length: 128 }, (_, code) =>
  neighbourOf(String.fromCharCode(code)),
);

const neighbourAt = (text: string, at: number): Neighbour => {
  const character = text.charAt(at);
  return character === STAND_IN ? 'word' : (known[character.charCodeAt(0)] ?? neighbourOf(character));
};

/** Code and addresses, in which no mark is one of a style. */
const withoutStyles = /```.*?```|`[^`\n]+`|<[^<>|\n]*/gs;

/** The marks of a text that work together, and those that would work with others before or behind the text. */
export interface Styles {
  readonly pairs: Pair[];
  readonly lone: Pair[];
}

/** The pairs of one mark: each begins and ends at the borders of words of one line. */
const addPairs = (text: string, mark: string, { pairs, lone }: Styles): void => {
  let open = -1;
  let lineEnd = -1;
  for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + 1)) {
    const [before, after] = [neighbourAt(text, at - 1), neighbourAt(text, at + 1)];
    if (at > lineEnd) {
      open = -1;
      const end = text.indexOf('\n', at);
      lineEnd = end === -1 ? text.length : end;
    }
    // A border of the text may stand next to anything.
    const isAtBorder = at === 0 || at === text.length - 1;
    if (open !== -1 && at > open + 1 && before !== 'space' && after !== 'word') {
      pairs.push({ mark, from: open, to: at });
      open = -1;
    } else if (open === -1 && before !== 'word' && after !== 'space') open = at;
    else if (isAtBorder || (before !== 'space' && after !== 'word')) lone.push({ mark, from: at, to: at });
  }
};

/** The pairs of marks in a paragraph of Markdown. */
export class MarkdownStyles implements Styles {
  readonly pairs: Pair[] = [];
  readonly lone: Pair[] = [];
  readonly #whole: string;
  readonly #open = new Map<string, number>();

  constructor(whole: string) {
    this.#whole = whole;
  }

  /** Takes the marks that begin at a place, and returns the place behind them. */
  add(from: number): number {
    const code = this.#whole.charCodeAt(from);
    let to = from + 1;
    while (this.#whole.charCodeAt(to) === code) to += 1;
    const [before, after] = [neighbourAt(this.#whole, from - 1), neighbourAt(this.#whole, to)];
    const opens = after === 'word' || (after === 'punctuation' && before !== 'word');
    const closes = before === 'word' || (before === 'punctuation' && after !== 'word');
    const mark = this.#whole.slice(from, to);
    // An underscore inside a word is none.
    const isInWord = before === 'word' && after === 'word' && mark.startsWith('_');
    const open = this.#open.get(mark);
    if (isInWord) return to;
    if (open !== undefined && closes) {
      this.pairs.push({ mark, from: open, to: from });
      this.#open.delete(mark);
    } else if (open === undefined && opens) this.#open.set(mark, from);
    else if (closes || from === 0 || to === this.#whole.length) this.lone.push({ mark, from, to: from });
    return to;
  }

  /** Marks of one paragraph work with none of another. */
  endParagraph(): void {
    this.#open.clear();
  }
}

const marksOfMrkdwn = ['*', '_', '~'] as const;

/** The styles of mrkdwn around each value of a text. */
export const stylesOfMrkdwn = (
  whole: string,
  holes: readonly number[],
): ReadonlyMap<number, readonly string[]> => {
  const styles: Styles = { pairs: [], lone: [] };
  let text: string | undefined;
  for (const mark of marksOfMrkdwn) {
    if (!whole.includes(mark)) continue;
    text ??= /[`<]/.test(whole) ? whole.replace(withoutStyles, (found) => '.'.repeat(found.length)) : whole;
    addPairs(text, mark, styles);
  }
  return stylesOfEach(styles.pairs, holes);
};

/** Code, escaped characters, marks of list items and fences, in which no mark is one of a style. */
const otherMarks = /```.*?```|`[^`\n]+`|\\.|^[ \t>]*(?:\*(?=[ \t])|(?:(?:[-+*]|\d{1,9}[.)])[ \t]*)?~{3,})/gms;
const fenceEnd = /^[ \t>]*(~{3,})[ \t]*$/gm;
const marksOfMarkdown = /\n[ \t]*\n|[*_~]/g;

/** The end of the fence of some tildes; undefined where nothing closes it, so that it is no code. */
const closeFence = (text: string, from: number, length: number): number | undefined => {
  const lineEnd = text.indexOf('\n', from);
  if (lineEnd === -1) return undefined;
  fenceEnd.lastIndex = lineEnd + 1;
  for (let found = fenceEnd.exec(text); found !== null; found = fenceEnd.exec(text)) {
    if ((found[1] ?? '').length >= length) return fenceEnd.lastIndex;
  }
  return undefined;
};

/** A text of Markdown with dots in place of all in which no mark is one of a style. */
const withoutOthers = (text: string): string => {
  let kept = '';
  let behind = 0;
  // What closes no fence of some tildes closes none of more, so that the text is searched without success only a few
  // times.
  let unclosed = Number.POSITIVE_INFINITY;
  otherMarks.lastIndex = 0;
  for (let found = otherMarks.exec(text); found !== null; found = otherMarks.exec(text)) {
    const { index, 0: marks } = found;
    const isFence = marks.startsWith('~') && marks.length < unclosed;
    const close = isFence ? closeFence(text, index, marks.length) : undefined;
    if (isFence && close === undefined) unclosed = marks.length;
    const end = close ?? index + marks.length;
    kept += text.slice(behind, index) + '.'.repeat(end - index);
    behind = end;
    otherMarks.lastIndex = end;
  }
  return kept + text.slice(behind);
};

/** The styles of a text of its own. */
export const stylesOf = (given: string, kind: 'mrkdwn' | 'markdown'): Styles => {
  if (kind === 'mrkdwn') {
    const text = given.replace(withoutStyles, (found) => '.'.repeat(found.length));
    const styles: Styles = { pairs: [], lone: [] };
    for (const mark of marksOfMrkdwn) addPairs(text, mark, styles);
    return styles;
  }
  const text = withoutOthers(given);
  const styles = new MarkdownStyles(text);
  let behind = 0;
  for (const { 0: found, index } of text.matchAll(marksOfMarkdown)) {
    if (index < behind) continue;
    if (found.startsWith('\n')) styles.endParagraph();
    else behind = styles.add(index);
  }
  return styles;
};
