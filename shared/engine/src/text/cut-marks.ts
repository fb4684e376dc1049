import { codePoints, cutText, isLonger } from './cut.ts';
import type { TextKind } from './escape.ts';
import { endOfMarkdown, endsInFence } from './markdown-end.ts';

/** No mark works next to a letter, nor next to the space without a width that stops one. */
const isWord = (character: string): boolean => /[\p{L}\p{N}\u200B]/u.test(character);

/** Marks of styles that are open at the end of a text without code, the innermost first. */
const openStyles = (text: string): string[] => {
  const open: string[] = [];
  for (const { 0: mark, index } of text.matchAll(/\\.|(?<mark>\*\*|~~|[*_~])/g)) {
    if (mark.startsWith('\\')) continue;
    const before = text.charAt(index - 1);
    const after = text.charAt(index + mark.length);
    if (open[0] === mark && before !== '' && !/\s/.test(before)) open.shift();
    else if (!isWord(before) && after !== '' && !/\s/.test(after)) open.unshift(mark);
  }
  return open;
};

/** The code that is open at the end of a text, and the text without its code. */
const readCode = (text: string): { open: string; rest: string } => {
  let open = '';
  let rest = '';
  let at = 0;
  for (const { 0: run, index } of text.matchAll(/`+/g)) {
    if (open === '') rest += text.slice(at, index);
    const isBlock = run.length >= 3;
    if (open === '') open = run;
    else if (run === open || (isBlock && open.length >= 3 && run.length >= open.length)) open = '';
    at = index + run.length;
  }
  return { open, rest: open === '' ? rest + text.slice(at) : rest };
};

/** In mrkdwn a style ends with its line. */
const closersOfMrkdwn = (text: string): string => {
  const { open, rest } = readCode(text);
  return open.length >= 3 ? open : open + openStyles(rest.slice(rest.lastIndexOf('\n') + 1)).join('');
};

/** In Markdown a style and code in a line end with their paragraph, and a fence on a line of its own. */
const closersOfMarkdown = (text: string): string => {
  const { fence, paragraph } = endOfMarkdown(text);
  if (fence !== undefined) return `\n${fence}`;
  const { open, rest } = readCode(paragraph);
  return open + openStyles(rest).join('');
};

const closersOf = (text: string, kind: TextKind): string =>
  kind === 'markdown' ? closersOfMarkdown(text) : closersOfMrkdwn(text);

/** A text with its open marks closed, so that they do not reach into what follows. */
export const closeMarks = (text: string, kind: TextKind): string => {
  const closed = text + closersOf(text, kind);
  return kind === 'markdown' && endsInFence.test(closed) ? `${closed}\n` : closed;
};

/** The start of the `[label](address)` that a cut at the end of a text would split, else its end. */
const beforeLink = (text: string, whole: string): string => {
  const open = text.lastIndexOf('[');
  if (open === -1) return text;
  const [link] = /^\[[^\]\n]*\]\([^)\n]*\)/.exec(whole.slice(open)) ?? [];
  return link !== undefined && open + link.length > text.length ? text.slice(0, open) : text;
};

const cutOnce = (text: string, max: number, kind: TextKind): string => {
  const cut = cutText(text, max, kind);
  if (kind !== 'markdown' || !cut.endsWith('…')) return cut;
  const kept = beforeLink(cut.slice(0, -1), text);
  // A backslash belongs to the character behind it.
  let slashes = 0;
  while (kept.charAt(kept.length - 1 - slashes) === '\\') slashes += 1;
  return `${slashes % 2 === 1 ? kept.slice(0, -1) : kept}…`;
};

/**
 * Cuts a text with marks of its own to `max` code points. Code, bold, italic and struck text that the cut leaves open are
 * closed behind the `…`; a link is never cut inside.
 */
export const cutMarks = (text: string, max: number, kind: TextKind): string => {
  if (!isLonger(text, max)) return text;
  if (kind === 'plain' || kind === 'exact') return cutText(text, max, kind);
  for (let room = max; room > 0; ) {
    const cut = cutOnce(text, room, kind);
    const closers = closersOf(cut, kind);
    const excess = codePoints(cut) + codePoints(closers) - max;
    if (excess <= 0) return cut + closers;
    room -= excess;
  }
  return cutText(text, max, kind);
};
