import { Parser } from 'commonmark';

/** A text of Markdown as a reader sees it. */
export interface ReadMarkdown {
  /** The words, without the marks that work. */
  readonly text: string;
  /** The marks that work, in order: `strong`, `emph`, `code`, `code_block`, `item`, `block_quote`, `link <address>` … */
  readonly marks: readonly string[];
}

const plain = new Set(['document', 'paragraph', 'text', 'softbreak', 'linebreak']);

/** Reads Markdown as CommonMark does. */
export const readMarkdown = (given: string): ReadMarkdown => {
  const walker = new Parser().parse(given).walker();
  const marks: string[] = [];
  let text = '';
  for (let step = walker.next(); step !== null; step = walker.next()) {
    const { node, entering } = step;
    if (!entering) {
      if (node.type === 'paragraph' || node.type === 'heading') text += '\n';
      continue;
    }
    if (!plain.has(node.type))
      marks.push(node.type === 'link' ? `link ${node.destination ?? ''}` : node.type);
    if (node.type === 'softbreak' || node.type === 'linebreak') text += '\n';
    else text += node.literal ?? '';
  }
  return { text, marks };
};

/** The words of Markdown that stand outside of every mark of some types, such as `strong` or `heading`. */
export const textOutside = (given: string, ...types: readonly string[]): string => {
  const walker = new Parser().parse(given).walker();
  let depth = 0;
  let text = '';
  for (let step = walker.next(); step !== null; step = walker.next()) {
    const { node, entering } = step;
    // Code has no end of its own.
    if (types.includes(node.type)) depth += node.isContainer ? (entering ? 1 : -1) : 0;
    else if (depth === 0 && entering) text += node.literal ?? '';
  }
  return text;
};
