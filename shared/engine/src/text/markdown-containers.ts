import { fenceStart, headingStart, rule, underline } from './markdown-patterns.ts';

/** White space, quotes and list items that a line may begin with. */
const structure = /^(?:[ \t>]|(?:[-+*]|\d{1,9}[.)])(?=[ \t]))*/;

/** The start of a line as CommonMark reads it: a tab is the spaces up to the next stop of four. */
export const inColumns = (
  line: string,
): { readonly columns: string; readonly offsetOf: (column: number) => number } => {
  const [start = ''] = structure.exec(line) ?? [];
  if (!start.includes('\t')) return { columns: line, offsetOf: (column) => column };
  const offsets: number[] = [];
  let columns = '';
  for (const [offset, character] of [...start].entries()) {
    const shown = character === '\t' ? ' '.repeat(4 - (columns.length % 4)) : character;
    columns += shown;
    for (const _ of shown) offsets.push(offset);
  }
  return {
    columns: columns + line.slice(start.length),
    offsetOf: (column) => offsets[column] ?? column - offsets.length + start.length,
  };
};

/** A list item, and how many columns its lines begin with. */
interface Item {
  readonly width: number;
  hasText: boolean;
}

type Container = 'quote' | Item;

/** The start of a line: its marks, and how it belongs to the line before. */
export interface LineStart {
  /** The marks of quotes and list items, or the spaces that stand for these. */
  readonly marks: string;
  /** A lazy line goes on with a paragraph of quotes and items whose marks it lacks. */
  readonly goesOn: 'inside' | 'lazily' | 'no';
  /** Behind more white space, or none but that, the line would begin in another way. */
  readonly isUnsure: boolean;
}

const quoteMark = /^ {0,3}> ?/;
const itemMark = /^( {0,3}(?:[-+*]|\d{1,9}[.)]))( +|$)/;
/** Only these items end a paragraph. */
const endsParagraph = /^ {0,3}(?:[-+*]|1[.)]) +\S/;

const isBlank = (rest: string): boolean => rest.trim() === '';

const beginsBlock = (rest: string): boolean =>
  headingStart.test(rest) || fenceStart.test(rest) || rule.test(rest);

/** The quotes and list items that are open while a text in Markdown is read line by line, as in CommonMark 0.31. */
export class Containers {
  #open: Container[] = [];

  /** Reads the start of a line in columns. */
  read(line: string, isIn: 'paragraph' | 'fence' | undefined): LineStart {
    let at = 0;
    let matched = 0;
    for (const container of this.#open) {
      const length = this.#lengthIn(container, line.slice(at));
      if (length === undefined) break;
      at += length;
      matched += 1;
    }
    const isInside = matched === this.#open.length;
    if (isInside && isIn === 'fence') {
      return { marks: line.slice(0, at), goesOn: 'inside', isUnsure: false };
    }
    const begun: Container[] = [];
    let isInParagraph = isInside && isIn === 'paragraph';
    for (;;) {
      const found = this.#begin(line.slice(at), isInParagraph);
      if (found === undefined) break;
      begun.push(found.container);
      at += found.length;
      isInParagraph = false;
    }
    const rest = line.slice(at);
    const isLazy = begun.length === 0 && isIn === 'paragraph' && !isBlank(rest) && !beginsBlock(rest);
    if (!isLazy) this.#open = [...this.#open.slice(0, matched), ...begun];
    const lazily = isLazy ? 'lazily' : 'no';
    return {
      marks: line.slice(0, at),
      goesOn: isInParagraph ? 'inside' : lazily,
      isUnsure: begun.length === 0 ? !isInside : isIn === 'paragraph',
    };
  }

  /** Length of what keeps a line in a container. */
  #lengthIn(container: Container, rest: string): number | undefined {
    if (container === 'quote') return quoteMark.exec(rest)?.[0].length;
    if (isBlank(rest)) return container.hasText ? Math.min(container.width, rest.length) : undefined;
    if (!rest.startsWith(' '.repeat(container.width))) return undefined;
    container.hasText = true;
    return container.width;
  }

  #begin(rest: string, isInParagraph: boolean): { container: Container; length: number } | undefined {
    const [quote] = quoteMark.exec(rest) ?? [];
    if (quote !== undefined) return { container: 'quote', length: quote.length };
    if (rule.test(rest) || (isInParagraph && (underline.test(rest) || !endsParagraph.test(rest)))) return;
    const [found, mark = '', space = ''] = itemMark.exec(rest) ?? [];
    if (found === undefined) return;
    const hasText = !isBlank(rest.slice(found.length));
    // Behind more spaces the item begins with code.
    const width = mark.length + (hasText && space.length <= 4 ? space.length : 1);
    return { container: { width, hasText }, length: Math.min(width, rest.length) };
  }
}
