import { cleanEntities, cleanPlain } from './escape.ts';
import { fenceStart } from './markdown-end.ts';
import type { Position } from './positions.ts';

/** A `]` that would end the label of a link or a definition, and what stands behind a backslash. */
const linkEnd = /\\.|\\$|\](?=[([:]|$)/gs;
const brackets = /\\.|\\$|[[\]]/gs;

/** Text of Markdown in which styles work and no link, mention or image does. */
const withoutLinksIn = (text: string, isLabel: boolean): string =>
  cleanEntities(text).replace(isLabel ? brackets : linkEnd, (found) =>
    found.length > 1 ? found : `\\${found}`,
  );

/** Backticks and tildes that make no code. */
const withoutCode = (text: string): string =>
  text.replaceAll('`', '&#96;').replace(/~{3,}/g, (run) => '\\~'.repeat(run.length));

/** A fence that surely is one: at the margin, where no list item or quote may end it. */
const fence = /^(?:(`{3,})[^`]*|(~{3,}).*)$/;

interface Run {
  readonly from: number;
  readonly to: number;
}

/** The code of a line, with its backticks; undefined where a backtick may begin code that goes on behind the line. */
const codeIn = (line: string): Run[] | undefined => {
  const runs = [...line.matchAll(/`+/g)].map(({ 0: run, index }) => ({
    from: index,
    to: index + run.length,
  }));
  const next = new Map<number, Run>();
  const ends = runs.toReversed().map((run) => {
    const end = next.get(run.to - run.from);
    next.set(run.to - run.from, run);
    return { run, end };
  });
  const code: Run[] = [];
  let behind = 0;
  for (const { run, end } of ends.toReversed()) {
    if (run.from < behind) continue;
    if (end === undefined || line[run.from - 1] === '\\') return undefined;
    code.push({ from: run.from, to: end.to });
    behind = end.to;
  }
  return code;
};

/** Writes the code of a line as it is, and the rest without links. */
const writeLine = (line: string, code: readonly Run[], isLabel: boolean): string => {
  let written = '';
  let behind = 0;
  for (const { from, to } of code) {
    written += withoutLinksIn(line.slice(behind, from), isLabel) + cleanPlain(line.slice(from, to));
    behind = to;
  }
  return written + withoutLinksIn(line.slice(behind), isLabel);
};

/** Reads a value line by line. */
class LinkRemover {
  readonly #isLabel: boolean;
  readonly #isOneLine: boolean;
  #open: string | undefined;
  #isUnsure: boolean;

  constructor({ name, isOneLine, hasLoneTicks }: Position) {
    this.#isLabel = name === 'markdown.link_label';
    this.#isOneLine = isOneLine;
    this.#isUnsure = hasLoneTicks;
  }

  write(line: string): string {
    const isInside = this.#open !== undefined;
    // The line that begins a block of code may be text behind the template's own: `- {{v | styled}}`.
    if (this.#isInFence(line)) return isInside ? cleanPlain(line) : cleanEntities(line);
    if (line.trim() === '') this.#isUnsure = false;
    // The fence of a list item or a quote: its lines are read as text, in case that they are no code.
    if (!this.#isOneLine && fenceStart.test(line)) {
      this.#isUnsure = true;
      return withoutLinksIn(line, this.#isLabel);
    }
    const code = this.#isUnsure || line.includes('~~~') ? undefined : codeIn(line);
    this.#isUnsure ||= code === undefined;
    return code === undefined
      ? withoutCode(withoutLinksIn(line, this.#isLabel))
      : writeLine(line, code, this.#isLabel);
  }

  /** Whether a line is one of a block of code that surely is one, its fences included. */
  #isInFence(line: string): boolean {
    if (this.#open === undefined) {
      const [, ticks, tildes] = this.#isOneLine ? [] : (fence.exec(line) ?? []);
      this.#open = ticks ?? tildes;
      return this.#open !== undefined;
    }
    const [end = ''] = /^ {0,3}(?:`{3,}|~{3,})(?=[ \t]*$)/.exec(line) ?? [];
    if (end.trimStart().startsWith(this.#open)) this.#open = undefined;
    return true;
  }
}

/**
 * Takes the links, mentions and images out of a value of Markdown. Inside code nothing is escaped. Backticks that may make
 * code with others than those of their line make none, since a mention between them would work.
 */
export const withoutLinks = (value: string, position: Position): string => {
  const remover = new LinkRemover(position);
  return value
    .split(/\r\n?|\n/)
    .map((line) => remover.write(line))
    .join('\n');
};
