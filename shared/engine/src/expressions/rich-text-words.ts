import { isList, isObject } from '../json.ts';
import { type Run, spendEvaluations } from '../run/run.ts';

/** What stands before the id or the name of a reference that a person has entered. */
const signs: Readonly<Record<string, string>> = { user: '@', usergroup: '@', broadcast: '@', channel: '#' };

const textIn = (element: Readonly<Record<string, unknown>>, ...keys: readonly string[]): string => {
  const found = keys.map((key) => element[key]).find((value) => typeof value === 'string' && value !== '');
  return typeof found === 'string' ? found : '';
};

const wordsOfInline = (element: unknown): string => {
  if (!isObject(element)) return '';
  if (element.type === 'emoji') return `:${textIn(element, 'name')}:`;
  const sign = signs[String(element.type)] ?? '';
  return (
    sign +
    textIn(element, 'text', 'url', 'user_id', 'usergroup_id', 'channel_id', 'range', 'fallback', 'value')
  );
};

const linesOf = (elements: unknown): string[] => {
  if (!isList(elements)) return [];
  return elements.flatMap((element) => {
    if (!isObject(element)) return [];
    const { type, style, elements: inner } = element;
    if (type === 'rich_text_list') {
      return linesOf(inner).map((line, index) =>
        style === 'ordered' ? `${index + 1}. ${line}` : `• ${line}`,
      );
    }
    // The last line of a section that another part follows ends with a line break of its own.
    return isList(inner) ? [inner.map(wordsOfInline).join('').replace(/\n$/, '')] : [];
  });
};

/** The words of a rich text, as people enter it into an input; undefined for any other value. */
export const richTextWords = (value: unknown, run: Run): string | undefined => {
  if (!isObject(value) || value.type !== 'rich_text' || !isList(value.elements)) return undefined;
  const lines = linesOf(value.elements);
  const text = lines.join('\n');
  spendEvaluations(run, lines.length + (text.length >> 6));
  return text;
};
