import { isObject, type JsonObject } from '../json.ts';
import { canonicalTag } from '../languages/languages.ts';
import {
  isTranslations,
  type PluralText,
  pluralForms,
  Texts,
  type TextTable,
  type TranslatedText,
} from '../languages/texts.ts';
import { type LimitName, limits } from '../limits.ts';
import { contextIn, overLimit, type ParseContext, report, reportType } from '../parse/parse-context.ts';
import { isLocale } from '../run/formatters.ts';
import { codePoints, isLonger } from '../text/cut.ts';

const keyForm = /^[A-Za-z_][\w-]*(?:\.[\w-]+)*$/;

const tooMany = (context: ParseContext, limit: LimitName, actual: number): boolean => {
  if (actual <= limits[limit].max) return false;
  context.parsing.problems.add(overLimit(context.pointer, limit, actual));
  return true;
};

const parseString = (value: unknown, context: ParseContext): string | undefined => {
  if (typeof value !== 'string') return reportType(context, 'a text', value);
  const { max } = limits['translations.text'];
  if (isLonger(value, max)) tooMany(context, 'translations.text', codePoints(value));
  return value;
};

const wayToPlural = 'A text with forms is {"plural": "count", "one": "…", "other": "…"}.';

const wayToGroup = `Texts of a group have its name and a dot in their keys: "order.title". ${wayToPlural}`;

const parsePlural = (value: JsonObject, context: ParseContext): PluralText | undefined => {
  const { plural, ...given } = value;
  const forms: Partial<Record<string, string>> = {};
  let sound = true;
  for (const [form, text] of Object.entries(given)) {
    const at = contextIn(context, form);
    const known: readonly string[] = pluralForms;
    if (known.includes(form)) forms[form] = parseString(text, at);
    else
      report(
        at,
        'key.unknown',
        `\`${form.slice(0, 80)}\` is no form of a number; there are ${known.join(', ')}.`,
      );
    sound &&= known.includes(form) && forms[form] !== undefined;
  }
  const { other } = forms;
  if (typeof plural !== 'string' || other === undefined) {
    const missing = typeof plural === 'string' ? 'other' : 'plural';
    const message =
      missing === 'other'
        ? 'The form `other` is missing, which every language has.'
        : 'The path of the number is missing.';
    return report(context, 'required', message, { hint: wayToPlural });
  }
  return sound ? { plural, forms: { ...forms, other } } : undefined;
};

const ofPlurals: readonly string[] = ['plural', ...pluralForms];

const parseText = (value: unknown, context: ParseContext): TranslatedText | undefined => {
  if (isObject(value) && Object.keys(value).some((key) => ofPlurals.includes(key))) {
    return parsePlural(value, context);
  }
  if (isObject(value)) return reportType(context, 'a text', value, wayToGroup);
  if (typeof value === 'string') return parseString(value, context);
  return reportType(context, 'a text', value, wayToPlural);
};

const parseLanguage = (
  texts: JsonObject,
  context: ParseContext,
): ReadonlyMap<string, TranslatedText | undefined> => {
  const byKey = new Map<string, TranslatedText | undefined>();
  for (const [key, value] of Object.entries(texts)) {
    const at = contextIn(context, key);
    const isKey = key.length <= limits['translations.key'].max && keyForm.test(key);
    if (!isKey) {
      const message = `\`${key.slice(0, 80)}\` is no key: letters, digits, - and _, in parts with dots between them, ${limits['translations.key'].max} characters at most.`;
      report(at, 'translations.key', message, { hint: 'Name it as `order.title`.' });
    }
    byKey.set(key, parseText(value, at));
  }
  return byKey;
};

const checkTag = (tag: string, context: ParseContext): boolean => {
  const canonical = canonicalTag(tag);
  if (canonical === tag && isLocale(tag)) return true;
  const isWritten = canonical !== undefined && isLocale(canonical);
  const message = `${JSON.stringify(tag.slice(0, 40))} is no known locale; give a BCP 47 tag like "de" or "pt-BR".`;
  report(context, 'locale', message, isWritten ? { hint: `Write \`${canonical}\`.` } : {});
  return false;
};

const parseTable = (value: JsonObject, context: ParseContext): TextTable => {
  const table = new Map<string, ReadonlyMap<string, TranslatedText | undefined>>();
  const languages = Object.entries(value);
  if (tooMany(context, 'translations.languages', languages.length)) return table;
  if (languages.length === 0) {
    report(context, 'required', 'There is no language.', {
      hint: 'Write {"en": {"title": "…"}}, or leave the entry out.',
    });
  }
  for (const [tag, texts] of languages) {
    const at = contextIn(context, tag);
    const isKnown = checkTag(tag, at);
    if (!isObject(texts)) {
      reportType(at, 'an object of texts by key', texts);
      continue;
    }
    if (tooMany(at, 'translations.keys', Object.keys(texts).length)) continue;
    const parsed = parseLanguage(texts, at);
    if (isKnown) table.set(tag, parsed);
  }
  return table;
};

const tableIn = ({ translations }: JsonObject, context: ParseContext): TextTable => {
  const inside = contextIn(context, 'translations');
  if (isObject(translations)) return parseTable(translations, inside);
  // That it is missing is told with the keys of the directive.
  if (translations !== undefined) reportType(inside, 'an object of languages', translations);
  return new Map();
};

/** The texts that an entry of a list of blocks brings for the others; undefined where the list has none. */
export const textsIn = (values: readonly unknown[], context: ParseContext): Texts | undefined => {
  const index = values.findIndex(isTranslations);
  const entry = values[index];
  if (!isTranslations(entry)) return undefined;
  const at = contextIn(context, index);
  const known = context.parsing.knownTexts.find(({ pointer }) => pointer === at.pointer);
  const table = known?.table ?? tableIn(entry, at);
  const texts = new Texts(at.pointer, table, context.parsing.language);
  context.parsing.texts.push(texts);
  return texts;
};
