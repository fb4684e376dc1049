import { isList, isObject, type JsonObject } from '../json.ts';
import { cleanerOf } from '../text/escape.ts';

/** What the fallback text says of a compiled block, in mrkdwn; empty where there is nothing to say. */
export type Summary = (block: JsonObject) => string;

const clean = cleanerOf('mrkdwn');

const stringIn = (value: unknown, key: string): string => {
  const found = isObject(value) ? value[key] : undefined;
  return typeof found === 'string' ? found : '';
};

/** A text object's text: marks of mrkdwn stay, plain text has none. */
const textOf = (object: unknown): string => {
  if (!isObject(object)) return '';
  const { type, text } = object;
  if (typeof text !== 'string') return '';
  return type === 'mrkdwn' ? text : clean(text);
};

const listIn = (value: unknown, key: string): readonly unknown[] => {
  const found = isObject(value) ? value[key] : undefined;
  return isList(found) ? found : [];
};

const joinSaid = (texts: readonly string[], separator: string): string =>
  texts.filter((text) => text !== '').join(separator);

/** Of a block that shows nothing to read. */
export const summarizeNothing: Summary = () => '';

/** Of a block with one text object. */
export const summarizeTextBlock: Summary = (block) => textOf(block.text);

/** Of a section: its text and its fields. */
export const summarizeSection: Summary = (block) => {
  const { text, fields } = block;
  return isList(fields) ? joinSaid([text, ...fields].map(textOf), '\n') : textOf(text);
};

/** Of an image: its title, else what it shows. */
export const summarizeImage: Summary = (block) => textOf(block.title) || clean(stringIn(block, 'alt_text'));

/** Of a context: its texts in one line. */
export const summarizeContext: Summary = (block) => {
  let line = '';
  for (const element of listIn(block, 'elements')) {
    const said = textOf(element) || clean(stringIn(element, 'alt_text'));
    line = line === '' ? said : `${line} ${said}`;
  }
  return line;
};

/** Of a `markdown` block: its text as it is. */
export const summarizeMarkdown: Summary = (block) => stringIn(block, 'text');

const inlineText: Record<string, (element: JsonObject) => string> = {
  text: (element) => clean(stringIn(element, 'text')),
  link: (element) => clean(stringIn(element, 'text') || stringIn(element, 'url')),
  emoji: (element) => clean(`:${stringIn(element, 'name')}:`),
  // The blocks mention; a second mention in the fallback text would say it twice.
  user: () => '@…',
  usergroup: () => '@…',
  channel: () => '#…',
  broadcast: (element) => clean(`@${stringIn(element, 'range')}`),
  date: (element) => clean(stringIn(element, 'fallback')),
  color: (element) => clean(stringIn(element, 'value')),
};

const summarizeRichPart = (part: unknown): string => {
  const type = stringIn(part, 'type');
  if (type === 'rich_text_list') {
    return listIn(part, 'elements')
      .map((item) => `• ${summarizeRichPart(item)}`)
      .join('\n');
  }
  return listIn(part, 'elements')
    .map((element) => (isObject(element) ? (inlineText[stringIn(element, 'type')]?.(element) ?? '') : ''))
    .join('');
};

/** Of rich text: its words. */
export const summarizeRichText: Summary = (block) =>
  joinSaid(listIn(block, 'elements').map(summarizeRichPart), '\n');
