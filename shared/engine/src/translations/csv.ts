import { byteOrderMark, cellText, csvLine, csvLines, textCell } from '../csv.ts';
import { isObject, type JsonObject } from '../json.ts';
import { pluralForms } from '../languages/texts.ts';

/** The texts of a template by language and key, as its entry `#translations` has them. */
export interface TemplateTexts {
  readonly template: string;
  readonly translations: JsonObject;
}

/** The texts that a file has for templates: by template, key, form and language. An empty one is taken out. */
export type TextsInCsv = ReadonlyMap<string, readonly CsvRow[]>;

/** A text in all languages of the file. Its form is empty unless its words depend on a number. */
export interface CsvRow {
  readonly key: string;
  readonly form: string;
  readonly texts: ReadonlyMap<string, string>;
}

/** What was read, or the line that cannot be. */
export type ReadCsv =
  | { readonly ok: true; readonly templates: TextsInCsv }
  | { readonly ok: false; readonly line: number; readonly message: string };

const heads = ['template', 'key', 'form'];
/** The path of the number stands first, and then what depends on it. */
const forms: readonly string[] = ['', 'plural', ...pluralForms];
const languagesIn = (templates: readonly TemplateTexts[]): string[] => [
  ...new Set(templates.flatMap(({ translations }) => Object.keys(translations))),
];

const textsIn = (translations: JsonObject, language: string): JsonObject => {
  const texts = Object.hasOwn(translations, language) ? translations[language] : undefined;
  return isObject(texts) ? texts : {};
};

/** A text in a form; undefined where the language has none. */
const textIn = (texts: JsonObject, key: string, form: string): string | undefined => {
  const text = Object.hasOwn(texts, key) ? texts[key] : undefined;
  const found = isObject(text) ? form !== '' && text[form] : form === '' && text;
  return typeof found === 'string' ? found : undefined;
};

/** The texts of a template, a row for each text and form. A language has a text in each row whose text it has. */
export const textRows = (translations: JsonObject, languages: readonly string[]): CsvRow[] => {
  const all = languages.map((language) => [language, textsIn(translations, language)] as const);
  const keys = [...new Set(all.flatMap(([, texts]) => Object.keys(texts)))];
  return keys.flatMap((key) =>
    forms.flatMap((form) => {
      const texts = all.flatMap(([language, own]) => {
        const text = textIn(own, key, form);
        return text === undefined ? [] : [[language, text] as const];
      });
      return texts.length === 0 ? [] : [{ key, form, texts: new Map(texts) }];
    }),
  );
};

/** The texts of templates as one table for translators: a line for each text and form, a column for each language. */
export const translationsCsv = (templates: readonly TemplateTexts[]): string => {
  const languages = languagesIn(templates);
  const lines = templates.flatMap(({ template, translations }) =>
    textRows(translations, languages).map(({ key, form, texts }) => [
      template,
      key,
      form,
      ...languages.map((language) => textCell(texts.get(language) ?? '')),
    ]),
  );
  return byteOrderMark + [[...heads, ...languages], ...lines].map(csvLine).join('');
};

const failed = (line: number, message: string): ReadCsv => ({ ok: false, line, message });

/**
 * Reads what {@link translationsCsv} has written and people have changed. Spreadsheets of some countries separate by
 * semicolons.
 */
export const readTranslationsCsv = (file: string): ReadCsv => {
  const text = file.startsWith(byteOrderMark) ? file.slice(1) : file;
  const separator = /^"?template"?;/.test(text) ? ';' : ',';
  const lines = csvLines(text, separator);
  if (typeof lines === 'number') return failed(lines, 'A quote that begins here is not closed.');
  const [first, ...rest] = lines;
  const languages = first?.cells.slice(heads.length) ?? [];
  if (!first || heads.some((head, at) => first.cells[at] !== head) || languages.length === 0) {
    return failed(1, 'The first line is to be `template,key,form` and a column for each language.');
  }
  if (new Set(languages).size < languages.length || languages.some((it) => !/^[A-Za-z\d-]{2,35}$/.test(it))) {
    return failed(1, 'Each column of texts is to be named by another language, as `de` or `pt-BR`.');
  }
  const templates = new Map<string, CsvRow[]>();
  const seen = new Set<string>();
  for (const { number, cells } of rest) {
    const [template = '', key = '', form = '', ...texts] = cells;
    // Excel leaves out the separators of the last columns where sixteen lines on end have nothing in them.
    if (cells.length > first.cells.length) {
      return failed(
        number,
        `The line has ${cells.length} cells, and the first one has ${first.cells.length}.`,
      );
    }
    if (template === '' || key === '') return failed(number, 'The line names no template or no key.');
    if (!forms.includes(form)) return failed(number, `\`${form.slice(0, 80)}\` is no form of a number.`);
    const name = JSON.stringify([template, key, form]);
    if (seen.has(name)) return failed(number, `The text \`${key}\` of \`${template}\` stands there twice.`);
    seen.add(name);
    const row = {
      key,
      form,
      texts: new Map(languages.map((language, at) => [language, cellText(texts[at] ?? '')])),
    };
    templates.set(template, [...(templates.get(template) ?? []), row]);
  }
  return { ok: true, templates };
};

/** A text with a form set; undefined where none is left of it. */
const withForm = (text: unknown, form: string, value: string): unknown => {
  if (form === '') return value === '' ? (isObject(text) ? text : undefined) : value;
  const kept = Object.entries(isObject(text) ? text : {}).filter(([name]) => name !== form);
  if (value !== '') kept.push([form, value]);
  if (kept.length === 0) return isObject(text) ? undefined : text;
  return Object.fromEntries(kept.toSorted(([one], [other]) => forms.indexOf(one) - forms.indexOf(other)));
};

/**
 * The texts of a template with those of a file in their place. An empty cell takes its text out; keys and languages that
 * the file does not name stay.
 */
export const withCsvTexts = (translations: JsonObject, rows: readonly CsvRow[]): JsonObject => {
  const changed = new Map(Object.entries(translations));
  for (const { key, form, texts } of rows) {
    for (const [language, value] of texts) {
      const before = changed.get(language);
      const own = new Map(Object.entries(isObject(before) ? before : {}));
      const text = withForm(own.get(key), form, value);
      if (text === undefined) own.delete(key);
      else own.set(key, text);
      if (own.size > 0 || before !== undefined) changed.set(language, Object.fromEntries(own));
    }
  }
  return Object.fromEntries(changed);
};
