/** A text of mrkdwn as a reader sees it. */
export interface ReadMrkdwn {
  /** The words, without the marks that work. */
  readonly text: string;
  /** The marks that work: `bold`, `italic`, `strike`, `code`, `block`, `quote`, `link <address>`, `mention <id>`. */
  readonly marks: readonly string[];
}

const decode = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

const styles: readonly (readonly [string, string])[] = [
  ['*', 'bold'],
  ['_', 'italic'],
  ['~', 'strike'],
];

/** A mark works at the border of a word: not behind a letter, not before a space, and both ends in one line. */
const styled = (mark: string): RegExp =>
  new RegExp(
    String.raw`(?<![\p{L}\p{N}\u200B])[${mark}](?!\s)([^\n]*?[^\s])[${mark}](?![\p{L}\p{N}\u200B])`,
    'gu',
  );

const readStyles = (text: string, marks: string[]): string => {
  let read = text;
  for (const [mark, name] of styles) {
    read = read.replace(styled(mark), (_, inner: string) => {
      marks.push(name);
      return inner;
    });
  }
  return read;
};

const readEntities = (text: string, marks: string[]): string =>
  text.replace(/<([^<>|]*)(?:\|([^<>]*))?>/g, (whole, target: string, label?: string) => {
    if (!/^(?:[@#!]|[a-z]+:|\w)/i.test(target)) return whole;
    marks.push(`${/^[@#!]/.test(target) ? 'mention' : 'link'} ${decode(target)}`);
    return label ?? target;
  });

const readLine = (line: string, marks: string[]): string => {
  const isQuote = /^(?:>|&gt;)/.test(line);
  if (isQuote) marks.push('quote');
  return isQuote ? line.replace(/^(?:>|&gt;) ?/, '') : line;
};

/** Addresses are links as they stand, so that an underscore in them is no mark. */
const address = /https?:\/\/[^\s*~]*[\p{L}\p{N}/]/gu;
const UNDERSCORE = '\uE000';

const readText = (text: string, marks: string[]): string =>
  text
    .split('\n')
    .map((line) => {
      const said = readEntities(readLine(line, marks), marks);
      const masked = said.replace(address, (found) => found.replaceAll('_', UNDERSCORE));
      return readStyles(masked, marks).replaceAll(UNDERSCORE, '_');
    })
    .join('\n');

/**
 * Reads mrkdwn by the documented rules of the platform: entities, links and mentions in `<…>`, code between backticks,
 * styles at the borders of words, quotes at the starts of lines.
 */
export const readMrkdwn = (given: string): ReadMrkdwn => {
  const marks: string[] = [];
  let text = '';
  let at = 0;
  for (const found of given.matchAll(/```(.*?)```|`([^`\n]+)`/gs)) {
    text += readText(given.slice(at, found.index), marks);
    marks.push(found[1] === undefined ? 'code' : 'block');
    text += found[1] ?? found[2] ?? '';
    at = found.index + found[0].length;
  }
  return { text: decode(text + readText(given.slice(at), marks)), marks };
};

/** What takes the place of characters that mrkdwn cannot show as they are. */
export const withoutStandIns = (text: string): string =>
  text.replaceAll('\u200B', '').replaceAll('\u02CB', '`');
