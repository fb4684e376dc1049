import { isList, isObject, type JsonObject } from '../json.ts';
import { limits } from '../limits.ts';
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

/** Characters after which a list has said enough: what goes beyond the limit of the text is cut anyway. */
const enough = 2 * limits['message.text'].max;

const summarizeRichList = (list: unknown): string => {
  let said = '';
  for (const item of listIn(list, 'elements')) {
    const line = `• ${summarizeRichPart(item)}`;
    said = said === '' ? line : `${said}\n${line}`;
    if (said.length > enough) break;
  }
  return said;
};

const summarizeRichPart = (part: unknown): string => {
  const type = stringIn(part, 'type');
  if (type === 'rich_text_list') return summarizeRichList(part);
  return listIn(part, 'elements')
    .map((element) => (isObject(element) ? (inlineText[stringIn(element, 'type')]?.(element) ?? '') : ''))
    .join('');
};

/** Of rich text: its words. */
export const summarizeRichText: Summary = (block) =>
  joinSaid(listIn(block, 'elements').map(summarizeRichPart), '\n');

/** Of an input: what it asks for. */
export const summarizeInput: Summary = (block) => textOf(block.label);

const textOfCell = (cell: unknown): string => {
  if (!isObject(cell)) return '';
  return cell.type === 'rich_text' ? summarizeRichText(cell) : clean(stringIn(cell, 'text'));
};

/** Of a table: its caption, and its rows line by line. */
export const summarizeTable: Summary = (block) => {
  const lines = listIn(block, 'rows').map((row) => (isList(row) ? row.map(textOfCell).join(' · ') : ''));
  return joinSaid([clean(stringIn(block, 'caption')), ...lines], '\n');
};

/** Of a block whose title is a plain string. */
export const summarizeTitle: Summary = (block) => clean(stringIn(block, 'title'));

/** Of a card: its texts. */
export const summarizeCard: Summary = (block) => {
  const { title, subtitle, body, hero_image: image } = block;
  return joinSaid([title, subtitle, body].map(textOf), '\n') || clean(stringIn(image, 'alt_text'));
};

/** Of a carousel: its cards. */
export const summarizeCards: Summary = (block) =>
  joinSaid(
    listIn(block, 'elements').map((card) => (isObject(card) ? summarizeCard(card) : '')),
    '\n',
  );

/** Of a video: its title. */
export const summarizeVideo: Summary = (block) => textOf(block.title);

/** Of a task: its title and how far it is. */
export const summarizeTask: Summary = (block) => {
  const status = stringIn(block, 'status').replace('_', ' ');
  return clean(`${stringIn(block, 'title')}${status === '' ? '' : ` (${status})`}`);
};

/** Of a plan: its title and its tasks. */
export const summarizePlan: Summary = (block) =>
  joinSaid(
    [
      clean(stringIn(block, 'title')),
      ...listIn(block, 'tasks').map((task) => (isObject(task) ? `• ${summarizeTask(task)}` : '')),
    ],
    '\n',
  );

/** Of a container: its title, and what is in it. */
export const summarizeContainer = (block: JsonObject, summaryOf: Summary): string => {
  const { title, rich_text_title: rich, subtitle } = block;
  const children = listIn(block, 'child_blocks').map((child) => (isObject(child) ? summaryOf(child) : ''));
  const head = textOf(title) || (isObject(rich) ? summarizeRichText(rich) : '');
  return joinSaid([head, textOf(subtitle), ...children], '\n');
};
