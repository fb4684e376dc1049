import type { TextNode } from './nodes.ts';

/** Marks of a style next to each other, which may begin and end a style by what stands around them. */
export interface StyleRun {
  readonly type: 'run';
  readonly mark: string;
  readonly length: number;
  /** How many there were before some of them found their other half. */
  readonly written: number;
  readonly opens: boolean;
  readonly closes: boolean;
}

const RUN = /\*+|_+|~+/y;
const PUNCTUATION = /[\p{P}\p{S}]/u;

const isBlank = (character: string): boolean => character === '' || /\s/.test(character);
const isPunctuation = (character: string): boolean => PUNCTUATION.test(character);

/** The marks at a place of a text, by the rules of CommonMark for what is next to a word; undefined where there are none. */
export function styleRunAt(text: string, at: number): StyleRun | undefined {
  RUN.lastIndex = at;
  const [run] = RUN.exec(text) ?? [];
  if (run === undefined) return undefined;
  const mark = run.charAt(0);
  const isStyle = mark !== '~' || run.length === 2;
  const [before, behind] = [text.charAt(at - 1), text.charAt(at + run.length)];
  const isBeforeWord =
    !isBlank(behind) && (!isPunctuation(behind) || isBlank(before) || isPunctuation(before));
  const isBehindWord =
    !isBlank(before) && (!isPunctuation(before) || isBlank(behind) || isPunctuation(behind));
  const isInWord = mark === '_' && isBeforeWord && isBehindWord;
  return {
    type: 'run',
    mark,
    length: run.length,
    written: run.length,
    opens: isStyle && isBeforeWord && (!isInWord || isPunctuation(before)),
    closes: isStyle && isBehindWord && (!isInWord || isPunctuation(behind)),
  };
}

const isRun = (part: { readonly type: string }): part is StyleRun => part.type === 'run';

/** Of marks that could be both ends, those are no pair that would better pair with others: `*a**b*`. */
function isPair(opening: StyleRun, closing: StyleRun): boolean {
  if (!opening.opens || opening.mark !== closing.mark) return false;
  if (!opening.closes && !closing.opens) return true;
  const sum = opening.written + closing.written;
  return sum % 3 !== 0 || (opening.written % 3 === 0 && closing.written % 3 === 0);
}

const shorter = (run: StyleRun, by: number): StyleRun[] =>
  run.length > by ? [{ ...run, length: run.length - by }] : [];

function styleOf(mark: string, size: number, children: TextNode[]): TextNode {
  if (mark === '~') return { type: 'strike', children };
  return size === 2 ? { type: 'bold', children } : { type: 'italic', children };
}

/** What stands in a text besides its marks of styles. */
type Other = TextNode | { readonly type: 'bracket'; readonly text: string };

/** Parts of a text whose marks are being paired, from its start on. */
class Pairing<Part extends Other> {
  readonly parts: (Part | TextNode | StyleRun)[] = [];
  readonly #settle: (parts: readonly (Part | TextNode | StyleRun)[]) => TextNode[];
  /** Before these places nothing is the other half of a kind of mark, so that no text is looked through for each of many. */
  readonly #bottoms = new Map<string, number>();

  constructor(settle: (parts: readonly (Part | TextNode | StyleRun)[]) => TextNode[]) {
    this.#settle = settle;
  }

  /** Puts what stands between marks and their other half into its style, and adds the marks that have none. */
  close(closing: StyleRun): void {
    const found = this.#openingOf(closing);
    if (found === undefined) {
      this.parts.push(closing);
      return;
    }
    const { opening, at } = found;
    const size = Math.min(2, opening.length, closing.length);
    const children = this.#settle(this.parts.splice(at).slice(1));
    this.parts.push(...shorter(opening, size), styleOf(closing.mark, size, children));
    for (const [kind, bottom] of this.#bottoms) this.#bottoms.set(kind, Math.min(bottom, at));
    for (const rest of shorter(closing, size)) this.close(rest);
  }

  #openingOf(closing: StyleRun): { opening: StyleRun; at: number } | undefined {
    const kind = `${closing.mark} ${closing.opens} ${closing.written % 3}`;
    const bottom = this.#bottoms.get(kind) ?? 0;
    for (let at = this.parts.length - 1; at >= bottom; at -= 1) {
      const opening = this.parts[at];
      if (opening !== undefined && isRun(opening) && isPair(opening, closing)) return { opening, at };
    }
    this.#bottoms.set(kind, this.parts.length);
    return undefined;
  }
}

/**
 * Pairs the marks of a text, and puts what stands between a pair into its style.
 *
 * @param settle makes the nodes of what stands between, whose marks have found no other half
 */
export function pairStyles<Part extends Other>(
  parts: readonly (Part | StyleRun)[],
  settle: (parts: readonly (Part | TextNode | StyleRun)[]) => TextNode[],
): (Part | TextNode | StyleRun)[] {
  const pairing = new Pairing(settle);
  for (const part of parts) {
    if (isRun(part) && part.closes) pairing.close(part);
    else pairing.parts.push(part);
  }
  return pairing.parts;
}
