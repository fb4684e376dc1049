import { Containers, inColumns } from './markdown-containers.ts';
import {
  autolink,
  bare,
  beginsWithValue,
  cellBorder,
  deep,
  definition,
  fenceStart,
  halfStart,
  headingStart,
  isDelimiterRow,
  LOOK_BACK,
  likeItem,
  openAngle,
  rule,
  target,
  tickRuns,
  ticks,
  underline,
} from './markdown-patterns.ts';
import { type LinePosition, linePositionAt, type PositionName } from './positions.ts';
import { firstFrom, type Region, type Span, STAND_IN, valuesBetween } from './scan.ts';
import { MarkdownStyles, stylesOfEach } from './style-pairs.ts';

/** An open block of code. */
interface Fence {
  readonly region: Region;
  readonly mark: string;
  readonly length: number;
  readonly opening: Span;
}

/** A line that ends a block of code. */
const closing = /^( {0,3})(`{3,}|~{3,})[ \t]*$/;

/** Looks for the marks of a text line by line, and of each paragraph character by character. */
class MarkdownScan {
  readonly positions: LinePosition[];
  readonly spans: Span[] = [];
  readonly code: (Region | undefined)[];
  readonly bars = new Map<number, Region>();
  /** The places of backticks that begin no code, and of parentheses behind a label that begin no address. */
  readonly lone: number[] = [];
  readonly #whole: string;
  readonly #holes: readonly number[];
  #fence: Fence | undefined;
  #paragraph: { from: number; to: number } | undefined;
  readonly #containers = new Containers();
  /** Whether a line may go on with a paragraph, which has no code of four spaces. */
  #isInParagraph = false;
  #isInTable = false;
  #lineBefore = 0;
  /** Where cells of the paragraph end, which no mark reaches over. */
  readonly #borders = new Set<number>();

  constructor(whole: string, holes: readonly number[]) {
    this.#whole = whole;
    this.#holes = holes;
    this.code = holes.map(() => undefined);
    this.positions = holes.map((hole) => linePositionAt(whole, hole));
  }

  run(): void {
    let from = 0;
    for (const line of this.#whole.split('\n')) {
      this.#line(from, line);
      from += line.length + 1;
    }
    this.#endParagraph();
  }

  #positionsIn(from: number, to: number): { position: LinePosition; index: number }[] {
    return valuesBetween(this.#holes, from, to).flatMap((index) => {
      const position = this.positions[index];
      return position === undefined ? [] : [{ position, index }];
    });
  }

  /** Names the positions of the values in a part of the text; false where there are none. */
  #name(from: number, to: number, name: PositionName, region?: Region): boolean {
    const found = this.#positionsIn(from, to);
    for (const { position, index } of found) {
      position.name = name;
      if (region !== undefined) this.code[index] = region;
    }
    return found.length > 0;
  }

  #line(from: number, line: string): void {
    const { columns, offsetOf } = inColumns(line);
    const isIn = this.#fence === undefined ? undefined : 'fence';
    const { marks, goesOn, isUnsure } = this.#containers.read(
      columns,
      this.#isInParagraph ? 'paragraph' : isIn,
    );
    const rest = columns.slice(marks.length);
    const indent = /^\s*/.exec(rest)?.[0] ?? '';
    // The lines of a value begin where its own does. A space behind the mark of a quote belongs to it, not to an item.
    const lead = line.slice(0, offsetOf(marks.length + indent.length));
    const start = from + line.length - rest.length;
    this.#begin(from, from + line.length, lead.replace(/>(?=\S)/g, '> ').replace(/[^>\s]/g, ' '));
    if (this.#fence !== undefined && goesOn === 'inside') {
      this.#inFence(this.#fence, from, start, rest);
      return;
    }
    this.#fence = undefined;
    if (goesOn === 'no') this.#endParagraph();
    if (deep.test(rest) || (goesOn !== 'no' && likeItem.test(rest)))
      for (const { position } of this.#positionsIn(from, from + line.length)) position.isDeep = true;
    if (fenceStart.test(rest)) this.#openFence(start, rest);
    else if (rest.trim() === '') this.#endBlock();
    else if (!this.#isInParagraph && deep.test(rest)) {
      this.#name(from, from + line.length, 'markdown.code_block');
      if (isUnsure) this.#keepLines(from, from + line.length);
    } else {
      this.#findCells(from, line);
      this.#text(from, start, rest, goesOn === 'inside');
    }
    this.#lineBefore = from;
  }

  #begin(from: number, to: number, prefix: string): void {
    for (const { position } of this.#positionsIn(from, to)) position.prefix = prefix;
  }

  #endBlock(): void {
    this.#endParagraph();
    this.#isInTable = false;
  }

  #findCells(from: number, line: string): void {
    const isDelimiter = isDelimiterRow(line);
    const isRow = this.#isInTable || isDelimiter || line.trimStart().startsWith('|');
    if (isDelimiter) this.#isInTable = true;
    if (!isRow) return;
    const first = isDelimiter ? this.#lineBefore : from;
    for (const { index } of this.#whole.slice(first, from + line.length).matchAll(cellBorder))
      this.#borders.add(first + index);
    for (const { position } of this.#positionsIn(first, from + line.length)) position.isCell = true;
  }

  #text(from: number, start: number, rest: string, isInside: boolean): void {
    const to = start + rest.length;
    const isHeading = headingStart.test(rest);
    const isUnderline = isInside && this.#paragraph !== undefined && underline.test(rest);
    if (isHeading) this.#endParagraph();
    if (rule.test(rest) && !isUnderline) {
      this.#endParagraph();
      return;
    }
    const [, found, said = ''] = this.#paragraph === undefined ? (definition.exec(rest) ?? []) : [];
    this.#paragraph = { from: this.#paragraph?.from ?? from, to };
    this.#isInParagraph = true;
    if (isHeading || isUnderline) this.#endHeading();
    else if (found !== undefined) {
      const at = start + rest.indexOf(found, rest.indexOf(']:'));
      this.#endParagraph();
      this.#name(at, at + found.length, 'markdown.link_address');
      const saidAt = start + rest.lastIndexOf(said);
      this.#name(saidAt, saidAt + said.length, 'markdown.link_title');
      // What looks like a definition may be none, and the paragraph goes on.
      this.#isInParagraph = true;
    }
  }

  #endHeading(): void {
    const { from = 0, to = 0 } = this.#paragraph ?? {};
    for (const { position } of this.#positionsIn(from, to)) position.isOneLine = true;
    this.#endParagraph();
    // The line under a value that comes out blank is a paragraph.
    this.#isInParagraph = beginsWithValue.test(this.#whole.slice(from, to));
  }

  #openFence(start: number, rest: string): void {
    this.#endParagraph();
    const [found = '', indent = '', mark = ''] = fenceStart.exec(rest) ?? [];
    const region: Region = { kind: 'code', mark: mark.startsWith('~') ? '~' : '`' };
    const opening = { from: start + indent.length, to: start + found.length, region };
    this.#fence = { region, mark: mark.charAt(0), length: mark.length, opening };
    this.#name(start + found.length, start + rest.length, 'markdown.code_language');
  }

  #inFence({ region, mark, length, opening }: Fence, from: number, start: number, rest: string): void {
    const [, indent = '', found = ''] = closing.exec(rest) ?? [];
    if (found.startsWith(mark) && found.length >= length) {
      const at = start + indent.length;
      if (this.spans.at(-1) === opening) this.spans.push({ from: at, to: at + found.length, region });
      this.#fence = undefined;
    } else if (this.#name(from, start + rest.length, 'markdown.code_block', region)) {
      if (this.spans.at(-1) !== opening) this.spans.push(opening);
      this.#keepOpen(from, start, rest);
    }
  }

  /** Finds the values of a line of code that would end the code where they come out as white space. */
  #keepOpen(from: number, start: number, rest: string): void {
    for (const { position, index } of this.#positionsIn(from, start + rest.length)) {
      const at = (this.#holes[index] ?? start) - start;
      const ends = (part: string): boolean => closing.test(part.replaceAll(STAND_IN, ''));
      if (ends(rest.slice(0, at))) position.besideFence = 'behind';
      else if (ends(rest.slice(at + 1))) position.besideFence = 'before';
    }
  }

  #endParagraph(): void {
    if (this.#paragraph !== undefined) {
      const { from, to } = this.#paragraph;
      const borders = [from, ...[...this.#borders].filter((border) => border > from && border < to), to];
      for (const [index, border] of borders.slice(1).entries()) this.#inline(borders[index] ?? from, border);
    }
    this.#borders.clear();
    this.#paragraph = undefined;
    this.#isInParagraph = false;
  }

  #inline(from: number, to: number): void {
    const open: number[] = [];
    let styles: MarkdownStyles | undefined;
    const runs = tickRuns(this.#whole, from, to);
    let at = from;
    while (at < to) {
      const character = this.#whole.charAt(at);
      if (character === '\\') at += 2;
      else if (character === '`') at = this.#codeSpan(at, runs);
      else if (character === '<') at = this.#autolink(at);
      else if (character === ']') at = this.#link(open.pop(), at, to);
      else if (character === '*' || character === '_' || character === '~') {
        styles ??= new MarkdownStyles(this.#whole);
        at = styles.add(at);
      } else {
        if (character === '[') open.push(at);
        at += 1;
      }
    }
    if (styles === undefined) return;
    for (const [index, marks] of stylesOfEach(styles.pairs, this.#holes)) {
      const position = this.positions[index];
      if (position !== undefined) position.styles = marks;
    }
  }

  #codeSpan(at: number, runs: ReadonlyMap<number, number[]>): number {
    ticks.lastIndex = at;
    const length = ticks.exec(this.#whole)?.[0].length ?? 1;
    const behind = at + length;
    const alike = runs.get(length) ?? [];
    const end = alike[firstFrom(alike, behind)];
    // A longer delimiter at the start of a line could begin a block of code.
    const isOfLines = end !== undefined && this.#whole.slice(behind, end).includes('\n');
    if (end === undefined || (isOfLines && (this.#mayBegin(at) || this.#mayBegin(end)))) {
      for (let tick = at; tick < behind; tick += 1) this.lone.push(tick);
      return behind;
    }
    // Without others its delimiters stay, as all of the template's text does.
    const isBare = (runs.size > 1 || alike.length > 2) && bare.test(this.#whole.slice(behind, end));
    const region: Region = { kind: 'code', mark: '`', isSpan: true, isBare };
    if (this.#name(behind, end, 'markdown.code_span', region)) {
      if (isOfLines) this.#keepLines(this.#whole.indexOf('\n', behind), end);
      if (openAngle.test(this.#whole.slice(Math.max(0, at - LOOK_BACK), at)))
        for (const { position } of this.#positionsIn(behind, end)) position.besideFence = 'behind';
      this.spans.push({ from: at, to: behind, region }, { from: end, to: end + length, region });
    }
    return end + length;
  }

  /** Finds the values of code that may begin a block on their line, which would end the code. */
  #keepLines(from: number, to: number): void {
    for (const { position, index } of this.#positionsIn(from, to)) {
      if (this.#mayBegin(this.#holes[index] ?? from)) position.besideFence = 'behind';
    }
  }

  #mayBegin(at: number): boolean {
    return halfStart.test(this.#whole.slice(this.#whole.lastIndexOf('\n', at - 1) + 1, at));
  }

  #autolink(at: number): number {
    autolink.lastIndex = at;
    const [found] = autolink.exec(this.#whole) ?? [];
    if (found === undefined) return at + 1;
    const end = at + found.length;
    if (found.includes(STAND_IN)) {
      this.spans.push({ from: at, to: end, region: { kind: 'link', hasLabel: false } });
      this.#name(at, end, 'markdown.autolink');
    }
    return end;
  }

  #link(open: number | undefined, at: number, to: number): number {
    target.lastIndex = at + 1;
    const found = open === undefined ? null : target.exec(this.#whole.slice(0, to));
    if (open === undefined || found === null) {
      const value = this.#holes[firstFrom(this.#holes, at)] ?? to;
      // A value may make an address of what stands in the parentheses.
      if (value < to && /^\]\([^)]*$/.test(this.#whole.slice(at, value))) this.lone.push(at + 1);
      return at + 1;
    }
    const [all, where = '', title, titleAlone] = found;
    const said = title ?? titleAlone ?? '';
    const end = at + 1 + all.length;
    const addressAt = at + 1 + all.indexOf(where, 1);
    for (const { position } of this.#positionsIn(open + 1, at)) {
      if (position.name === 'markdown.text') position.name = 'markdown.link_label';
    }
    this.#name(addressAt, addressAt + where.length, 'markdown.link_address');
    const saidAt = at + 1 + all.lastIndexOf(said);
    if (said !== '') this.#name(saidAt, saidAt + said.length, 'markdown.link_title');
    const address = { from: addressAt, to: addressAt + where.length };
    if (this.#isBareLabel(open, at)) this.#bareLabel({ open, at, end }, address);
    else if (where.includes(STAND_IN)) this.#linkRegion(open, at, end);
    return end;
  }

  /** Whether a label is of values alone. An image without a text is shown all the same. */
  #isBareLabel(open: number, at: number): boolean {
    return bare.test(this.#whole.slice(open + 1, at)) && this.#whole.charAt(open - 1) !== '!';
  }

  /** Of a link whose label comes out empty its address is left, which is a link by itself. */
  #bareLabel(
    { open, at, end }: { open: number; at: number; end: number },
    address: { from: number; to: number },
  ): void {
    const isFixed = valuesBetween(this.#holes, address.from, address.to).length === 0;
    const link: Region = { kind: 'link', hasLabel: true };
    const region: Region = { kind: 'style', hasLabel: true, ...(!isFixed && { link }) };
    for (const value of valuesBetween(this.#holes, open + 1, at)) this.bars.set(value, region);
    this.spans.push({ from: open, to: open + 1, region }, { from: at, to: address.from, region });
    if (!isFixed) this.spans.push({ ...address, region: link });
    this.spans.push({ from: address.to, to: end, region });
  }

  #linkRegion(open: number, at: number, end: number): void {
    const region: Region = { kind: 'link', hasLabel: at > open + 1 };
    const isImage = this.#whole.charAt(open - 1) === '!';
    this.spans.push({ from: open - (isImage ? 1 : 0), to: open + 1, region }, { from: at, to: end, region });
  }
}

/** Finds the position of every value of a text in Markdown, as CommonMark 0.31 reads it, and the marks around the values. */
export const scanMarkdown = (
  whole: string,
  holes: readonly number[],
): Pick<MarkdownScan, 'positions' | 'spans' | 'code' | 'bars' | 'lone'> => {
  const scan = new MarkdownScan(whole, holes);
  scan.run();
  scan.spans.sort((one, other) => one.from - other.from);
  return scan;
};
