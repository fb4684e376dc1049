import { isList, isObject } from '../../json.ts';
import { spendEvaluations } from '../../run/run.ts';
import { codePoints } from '../../text/cut.ts';
import { joinedText, type MixedText, styledText } from '../../text/mixed-text.ts';
import { text } from './arguments.ts';
import { type Filter, numberOf, spendOn, textsOf, unformatted } from './filter.ts';

const join = (list: readonly unknown[], separator: string): MixedText | undefined => {
  const texts = textsOf(list);
  return texts && joinedText(texts, separator);
};

const sizeOf = (value: unknown): number | undefined => {
  if (isList(value)) return value.length;
  if (typeof value === 'string') return codePoints(value);
  return isObject(value) ? Object.keys(value).length : undefined;
};

/** Filters over lists and counts. */
export const listFilters: readonly Filter[] = [
  {
    name: 'join',
    takes: [text],
    apply: (value, [separator], environment) => {
      if (!isList(value)) return unformatted(value, 'a list', environment);
      const joined = join(value, String(separator));
      if (joined === undefined) return unformatted(value, 'a list of texts and numbers', environment);
      spendOn(environment.run, joined.text.length);
      return joined;
    },
    meaning: 'the items of a list as one text, with this separator; missing and empty ones are left out',
    example: '{{tags | join:", "}}',
  },
  {
    name: 'count',
    takes: [],
    apply: (value, _, environment) => {
      const size = sizeOf(value);
      if (size === undefined) return unformatted(value, 'a list, a text or an object', environment);
      if (isObject(value)) spendEvaluations(environment.run, size);
      return size;
    },
    meaning: 'number of items of a list, characters of a text, keys of an object',
    example: '{{items | count}}',
  },
  {
    name: 'first',
    takes: [],
    apply: (value, _, environment) => (isList(value) ? value[0] : unformatted(value, 'a list', environment)),
    meaning: 'first item of a list',
    example: '{{authors | first}}',
  },
  {
    name: 'last',
    takes: [],
    apply: (value, _, environment) =>
      isList(value) ? value.at(-1) : unformatted(value, 'a list', environment),
    meaning: 'last item of a list',
    example: '{{authors | last}}',
  },
  {
    name: 'plural',
    cost: 4,
    takes: [text, text],
    apply: (value, [one, many], environment) => {
      const number = isList(value) ? value.length : numberOf(value);
      if (number === undefined) return unformatted(value, 'a number or a list', environment);
      // Japanese and others have one form, so that none of their numbers is `one`; the words may be of another language.
      const isOne = number === 1 || environment.run.formatters.plurals.select(number) === 'one';
      return styledText(String(isOne ? one : many));
    },
    meaning:
      'the first word for one, the second for any other number or list length; translations have every form',
    example: '{{count}} {{count | plural:"item","items"}}',
  },
];
