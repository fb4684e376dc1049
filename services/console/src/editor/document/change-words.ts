import { isObject } from '../../json.ts';
import { below, lastStep, stepsOf, valueAt } from './pointer.ts';
import { type Row, rowAround, sayingText, titleOf } from './rows.ts';
import { wordsOf } from './words.ts';

/** Keys whose values are names of the language, not texts of an author. */
const nameKeys: ReadonlySet<string> = new Set(['type', 'style', 'operator', 'strategy', 'view']);

/** Objects that are a text with its format. */
const textTypes: ReadonlySet<unknown> = new Set(['mrkdwn', 'plain_text', 'raw_text']);

const isText = (value: unknown): value is { type: string; text: string } =>
  isObject(value) && textTypes.has(value.type) && typeof value.text === 'string';

/** A row as a title of it within its block. */
const rowText = ({ title, summary }: Row): string => `${title} ${summary}`.trim().slice(0, 60);

/** What the editor calls the place of a value: the fields that lead to it, behind the row of the outline. */
export const placeWords = (
  document: { blocks: readonly unknown[] },
  rows: readonly Row[],
  pointer: string,
): string => {
  const row = rowAround(rows, pointer);
  const words: string[] = row === undefined || rows.includes(row) ? [] : [rowText(row)];
  let at = row?.pointer ?? '';
  for (const step of stepsOf(pointer).slice(stepsOf(at).length)) {
    const holder = valueAt(document, at);
    at = below(at, step);
    const last = words.length - 1;
    if (/^\d+$/.test(step) && words.length > 0) words[last] = `${words[last]} ${Number(step) + 1}`;
    // A text and its format are one field, with the format under it.
    else if (isText(holder) && words.length > 0 && step === 'type')
      words[last] = `Format of ${words[last]?.toLowerCase()}`;
    else if (!(isText(holder) && words.length > 0 && step === 'text')) words.push(wordsOf(step));
  }
  return words.join(' › ');
};

/** A value as the editor shows it; `names` are those of what is chosen by name. */
export const valueWords = (value: unknown, pointer: string, names: ReadonlyMap<string, string>): string => {
  if (typeof value === 'string') {
    return nameKeys.has(lastStep(pointer)) ? wordsOf(value) : (names.get(value) ?? value);
  }
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (isText(value)) return value.text;
  const text = sayingText(value);
  if (isObject(value) && typeof value.type === 'string') return `${titleOf(value)} ${text}`.trim();
  return text === '' ? JSON.stringify(value) : text;
};
