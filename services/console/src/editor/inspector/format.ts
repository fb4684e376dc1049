import type { JsonObject } from '../../json.ts';

/** How a text marks its formats. */
export type Format = 'mrkdwn' | 'markdown';

/** How a text of an object marks its formats: the language of those that hold their text themselves. */
export const formatIn = ({ type }: JsonObject, name: string): Format | undefined =>
  name === 'text' && (type === 'mrkdwn' || type === 'markdown') ? type : undefined;

/** What can be done to the marked part of a text. */
export const marks = ['bold', 'italic', 'strike', 'code', 'link', 'list', 'quote'] as const;

/** See {@link marks}. */
export type Mark = (typeof marks)[number];

/** A text with a marked part. */
export interface Marked {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

const around: Readonly<Record<Format, Readonly<Record<string, string>>>> = {
  mrkdwn: { bold: '*', italic: '_', strike: '~', code: '`' },
  markdown: { bold: '**', italic: '_', strike: '~~', code: '`' },
};

const before: Readonly<Record<Format, Readonly<Record<string, string>>>> = {
  mrkdwn: { list: '• ', quote: '> ' },
  markdown: { list: '- ', quote: '> ' },
};

const inLines = ({ text, from, to }: Marked, sign: string): Marked => {
  const start = text.lastIndexOf('\n', from - 1) + 1;
  const found = text.indexOf('\n', to);
  const end = found === -1 ? text.length : found;
  const lines = text.slice(start, end).split('\n');
  const has = lines.every((line) => line.startsWith(sign));
  const made = lines.map((line) => (has ? line.slice(sign.length) : `${sign}${line}`)).join('\n');
  return { text: text.slice(0, start) + made + text.slice(end), from: start, to: start + made.length };
};

const wrappedIn = ({ text, from, to }: Marked, sign: string): Marked => {
  const size = sign.length;
  if (text.slice(from - size, from) === sign && text.slice(to, to + size) === sign) {
    return {
      text: text.slice(0, from - size) + text.slice(from, to) + text.slice(to + size),
      from: from - size,
      to: to - size,
    };
  }
  const made = text.slice(0, from) + sign + text.slice(from, to) + sign + text.slice(to);
  return { text: made, from: from + size, to: to + size };
};

/** A link around the marked part; its address is marked then, to be written. */
const linked = ({ text, from, to }: Marked, format: Format): Marked => {
  const says = text.slice(from, to) || 'text';
  const address = 'https://';
  const [made, at] =
    format === 'mrkdwn' ? [`<${address}|${says}>`, 1] : [`[${says}](${address})`, says.length + 3];
  return {
    text: text.slice(0, from) + made + text.slice(to),
    from: from + at,
    to: from + at + address.length,
  };
};

/** The text with a format given to its marked part, or taken away where it has it. */
export const formatted = (marked: Marked, mark: Mark, format: Format): Marked => {
  if (mark === 'link') return linked(marked, format);
  const line = before[format][mark];
  return line === undefined ? wrappedIn(marked, around[format][mark] ?? '') : inLines(marked, line);
};

/** The text with something in the place of its marked part, and the caret behind it. */
export const inserted = ({ text, from, to }: Marked, what: string): Marked => ({
  text: text.slice(0, from) + what + text.slice(to),
  from: from + what.length,
  to: from + what.length,
});
