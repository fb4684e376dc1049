import { isList, isObject, type JsonObject } from '../json.ts';
import { cleanEntities } from '../text/escape.ts';

/** The fallback text of a compiled block, in mrkdwn; empty when it has no text. */
export type Summary = (block: JsonObject) => string;

/** A plain text as mrkdwn that shows it as it is. */
export const clean = cleanEntities;

/** The text under a key of an object; empty where there is none. */
export const stringIn = (value: unknown, key: string): string => {
  const found = isObject(value) ? value[key] : undefined;
  return typeof found === 'string' ? found : '';
};

/** A text object's text: marks of mrkdwn stay, plain text has none. */
export const textOf = (object: unknown): string => {
  if (!isObject(object)) return '';
  const { type, text } = object;
  if (typeof text !== 'string') return '';
  return type === 'mrkdwn' ? text : clean(text);
};

/** The list under a key of an object; empty where there is none. */
export const listIn = (value: unknown, key: string): readonly unknown[] => {
  const found = isObject(value) ? value[key] : undefined;
  return isList(found) ? found : [];
};

/** Joins what is not empty. */
export const joinSaid = (texts: readonly string[], separator: string): string =>
  texts.filter((text) => text !== '').join(separator);

/** What an element that acts says of itself: the text of a button, the prompt of a menu, or the choices that it shows. */
const wordsOf = (element: unknown): string => {
  if (!isObject(element)) return '';
  const { text, placeholder, positive_button: good, negative_button: bad } = element;
  const own = textOf(text) || textOf(placeholder);
  if (own !== '') return own;
  if (isObject(good) && isObject(bad)) return joinSaid([textOf(good.text), textOf(bad.text)], ' · ');
  return joinSaid(
    listIn(element, 'options').map((option) => (isObject(option) ? textOf(option.text) : '')),
    ' · ',
  );
};

/** Of a block of elements that act. */
export const summarizeElements =
  (key: 'elements' | 'actions'): Summary =>
  (block) =>
    joinSaid(listIn(block, key).map(wordsOf), ' · ');

/** Of a block that shows nothing to read. */
export const summarizeNothing: Summary = () => '';

/** Of a block with one text object. */
export const summarizeTextBlock: Summary = (block) => textOf(block.text);

/** Of a block whose title is a plain string. */
export const summarizeTitle: Summary = (block) => clean(stringIn(block, 'title'));
