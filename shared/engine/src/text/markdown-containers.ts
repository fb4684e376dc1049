import { container, fenceStart } from './markdown-patterns.ts';

/** The list items that are open while a text in Markdown is read line by line. */
export class ListItems {
  /** The columns at which the text of the open items begins, the innermost last. */
  readonly #columns: number[] = [];

  /**
   * The marks of quotes and list items that a line begins with, or the spaces that stand for these.
   * @param lead length of the white space and the marks of quotes that it begins with
   */
  marksOf(line: string, lead: number, isInParagraph: boolean): string {
    const [marks = ''] = container.exec(line) ?? [];
    const markers = [...marks.matchAll(/(?:[-+*]|\d{1,9}[.)])[ ]*/g)];
    const column = markers[0]?.index ?? lead;
    const isLazy = markers.length === 0 && isInParagraph && !fenceStart.test(line.trimStart());
    if (!isLazy) while ((this.#columns.at(-1) ?? 0) > column) this.#columns.pop();
    const quoted = /^(?: {0,3}>[ ]?)*/.exec(line)?.[0].length ?? 0;
    const inside = Math.min(Math.max(this.#columns.at(-1) ?? 0, quoted), lead);
    const isCode = !isInParagraph && column >= inside + 4;
    if (isCode) return line.slice(0, inside);
    this.#columns.push(...markers.map(({ index, 0: marker }) => index + marker.length));
    return markers.length === 0 && inside > marks.length ? line.slice(0, inside) : marks;
  }
}
