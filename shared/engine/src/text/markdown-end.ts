/** Marks of quotes and list items at the start of a line, and the delimiter of a fence behind them. */
export const fenceStart = /^((?:[ \t>]|(?:[-+*]|\d{1,9}[.)])[ \t])*)(`{3,}(?=[^`]*$)|~{3,})/;
const fenceEnd = /^[ \t>]*(`{3,}|~{3,})[ \t]*$/;

/** A last line that ends a fence, which no text may follow. */
export const endsInFence = /(?:^|\n)[ \t>]*(?:`{3,}|~{3,})[ \t]*$/;

/** An open fence: its delimiter, and what stands before it on the lines of its list item or quote. */
interface OpenFence {
  readonly delimiter: string;
  readonly prefix: string;
  /** The same where marks of a list item or a quote stand before it; spaces alone may belong to none. */
  readonly container: string;
}

/** Whether a line belongs to a fence: one that leaves the list item or the quote around ends it. */
const isInside = ({ container }: OpenFence, line: string): boolean => {
  const [lead = ''] = /^[ \t>]*/.exec(line) ?? [];
  const isBlank = line.trim() === '' && !container.includes('>');
  return (
    isBlank || (lead.length >= container.length && lead.split('>').length >= container.split('>').length)
  );
};

const fenceAfter = (open: OpenFence | undefined, line: string): OpenFence | undefined => {
  if (open !== undefined && isInside(open, line)) {
    const [, end = ''] = fenceEnd.exec(line) ?? [];
    return end.startsWith(open.delimiter) ? undefined : open;
  }
  const [, marks = '', delimiter] = fenceStart.exec(line) ?? [];
  const prefix = marks.replace(/[^>\s]/g, ' ');
  return delimiter === undefined
    ? undefined
    : { delimiter, prefix, container: marks.trim() === '' ? '' : prefix };
};

/** What the end of a text of Markdown leaves open: the line that closes its last fence, or else its last paragraph. */
export const endOfMarkdown = (text: string): { fence: string | undefined; paragraph: string } => {
  let open: OpenFence | undefined;
  let from = 0;
  let at = 0;
  for (const line of text.split('\n')) {
    const before = open;
    open = fenceAfter(open, line);
    at += line.length + 1;
    if (open !== before || /^[ \t>]*$/.test(line)) from = at;
  }
  return { fence: open && open.prefix + open.delimiter, paragraph: text.slice(from) };
};
