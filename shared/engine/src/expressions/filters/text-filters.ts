import { isList, isObject, isWithinDepth } from '../../json.ts';
import { limits } from '../../limits.ts';
import { type Run, spendEvaluations } from '../../run/run.ts';
import { codeOf } from '../../text/code.ts';
import { cutText } from '../../text/cut.ts';
import { cleanExact, isMarked } from '../../text/escape.ts';
import { plainOf, shortenTo } from '../../text/fit.ts';
import { type MixedText, wordsOf } from '../../text/mixed-text.ts';
import { SafeText } from '../../text/safe-text.ts';
import { shortenMarked, styledOf } from '../../text/styled.ts';
import { isEmpty } from '../empty.ts';
import { anything, languageName, optional, whole } from './arguments.ts';
import {
  type Argument,
  type Filter,
  type FilterEnvironment,
  isAbsent,
  textFilter,
  unformatted,
  wordFilter,
} from './filter.ts';

const capitalize = (text: string, locale: string): string => {
  const [first = ''] = text;
  return first.toLocaleUpperCase(locale) + text.slice(first.length);
};

const truncate = (
  value: string | MixedText,
  [most]: readonly Argument[],
  { position, run }: FilterEnvironment,
): unknown => {
  if (typeof most !== 'number') return value;
  const { length } = plainOf(value);
  if (length > most >> 1) spendEvaluations(run, Math.min(length, most));
  return shortenTo(position, value, most);
};

const styled = (
  text: string,
  _: readonly Argument[],
  { kind, position, run }: FilterEnvironment,
): unknown => {
  if (!isMarked(kind) || text === '') return text;
  spendEvaluations(run, text.length >> 6);
  return styledOf(text, kind, position);
};

/** Whether nothing would be shown; the keys of an object are work to look for, as in a condition. */
const showsNothing = (value: unknown, run: Run): boolean => {
  if (value instanceof SafeText) return value.text === '';
  if (isList(value)) return value.every(isAbsent);
  if (isObject(value)) spendEvaluations(run, 2 * Object.keys(value).length);
  return isEmpty(value);
};

/** Marks that addresses may hold, and that end them or style a part of them where they stand in a text. */
const textMarks = /[!'()*~]/g;

const encodePart = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replace(
    textMarks,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** Filters over texts. */
export const textFilters: readonly Filter[] = [
  {
    name: 'default',
    takes: [anything],
    apply: (value, [fallback], { run }) => (showsNothing(value, run) ? wordsOf(fallback) : value),
    meaning: 'a replacement if the value is missing or an empty text, list or object',
    example: '{{name | default:"there"}}',
  },
  {
    name: 'upper',
    takes: [],
    ...wordFilter((text, { run }) => text.toLocaleUpperCase(run.formatters.locale)),
    meaning: 'upper case',
    example: '{{code | upper}}',
  },
  {
    name: 'lower',
    takes: [],
    ...wordFilter((text, { run }) => text.toLocaleLowerCase(run.formatters.locale)),
    meaning: 'lower case',
    example: '{{code | lower}}',
  },
  {
    name: 'capitalize',
    takes: [],
    apply: textFilter((text, _, { run }) => capitalize(text, run.formatters.locale)),
    applyToWords: (words, _, { run }) => {
      let isFirst = true;
      return words.map((text) => {
        const changed = isFirst ? capitalize(text, run.formatters.locale) : text;
        isFirst &&= text === '';
        return changed;
      });
    },
    meaning: 'first letter in upper case',
    example: '{{status | capitalize}}',
  },
  {
    name: 'trim',
    takes: [],
    apply: textFilter((text) => text.trim()),
    applyToWords: (words) => {
      const { text } = words;
      const from = text.length - text.trimStart().length;
      return words.slice(from, from + text.trim().length);
    },
    meaning: 'without leading and trailing spaces',
    example: '{{name | trim}}',
  },
  {
    name: 'truncate',
    takes: [whole(1, 12_000)],
    apply: textFilter((text, given, environment) => truncate(text, given, environment)),
    applyToWords: truncate,
    meaning: 'cut to this many characters, as counted by the platform, with … as the last',
    example: '{{title | truncate:40}}',
  },
  {
    name: 'encode',
    takes: [],
    ...wordFilter(encodePart),
    meaning: 'encoded as one part of an address: /, ?, &, = and # in the value lose their meaning',
    example: 'https://e.com/search?q={{query | encode}}',
  },
  {
    name: 'json',
    cost: 4,
    takes: [],
    apply: (value, _, environment) => {
      // The walk is work too, for a value that turns out to be nested too deep as for any other.
      const charge = (values: number) => spendEvaluations(environment.run, values);
      if (!isWithinDepth(value, limits['engine.json_depth'].max, charge)) {
        return unformatted(value, `nested ${limits['engine.json_depth'].max} levels or less`, environment);
      }
      const json = JSON.stringify(value);
      spendEvaluations(environment.run, json.length >> 2);
      return json;
    },
    meaning: 'the value as JSON text',
    example: '{{payload | json}}',
  },
  {
    name: 'code',
    marks: '`',
    takes: [optional(languageName)],
    last: true,
    apply: textFilter((text, [language], { kind, position, run }) => {
      if (!isMarked(kind)) return text;
      spendEvaluations(run, text.length >> 6);
      return codeOf(text, language, kind, position.isOneLine);
    }),
    meaning:
      'code: inline, or as a block if it has several lines or a language and is not in a heading, cell, link or style; the value cannot end it',
    example: '{{command | code}}',
  },
  {
    name: 'styled',
    marks: '*_~`',
    takes: [],
    last: true,
    apply: textFilter(styled),
    applyToWords: (words, given, environment) =>
      words.isWords ? words : styled(words.text, given, environment),
    meaning: 'bold, italic, code and lists in the value take effect; mentions, broadcasts and links do not',
    example: '{{summary | styled}}',
  },
  {
    name: 'raw',
    marks: '*_~`',
    takes: [],
    last: true,
    apply: textFilter((given, _, { kind }) => {
      const text = cleanExact(given);
      return isMarked(kind)
        ? new SafeText(text, (room) => shortenMarked(text, room, kind))
        : new SafeText(text, (room) => cutText(text, room, kind));
    }),
    meaning: 'not escaped: all markup in the value takes effect; only for trusted values',
    example: '{{body | raw}}',
  },
];
