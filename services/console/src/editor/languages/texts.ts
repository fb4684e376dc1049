import { type CsvRow, isTranslations, textRows, withCsvTexts } from '@stanza/engine';
import { isObject, type JsonObject } from '../../json.ts';

/** The texts of a template in languages; those of its partials are not its own. */
export const textsIn = (blocks: readonly unknown[]): JsonObject => {
  const texts = blocks.find(isTranslations)?.translations;
  return isObject(texts) ? texts : {};
};

/** Whether a template has texts in languages. */
export const hasTexts = (blocks: readonly unknown[]): boolean => blocks.some(isTranslations);

/** A language with how many of all texts it has. */
export interface Completeness {
  readonly language: string;
  readonly has: number;
  readonly of: number;
}

/** Keys by languages. */
export interface TextsTable {
  readonly languages: readonly Completeness[];
  readonly rows: readonly CsvRow[];
}

/** The table of the texts. */
export const tableOf = (translations: JsonObject): TextsTable => {
  const languages = Object.keys(translations);
  const rows = textRows(translations, languages);
  const keys = new Set(rows.map(({ key }) => key));
  const has = (language: string, key: string): boolean =>
    rows.some((row) => row.key === key && row.texts.has(language));
  return {
    languages: languages.map((language) => ({
      language,
      has: [...keys].filter((key) => has(language, key)).length,
      of: keys.size,
    })),
    rows,
  };
};

/** Blocks with these texts in place of their own. */
export const withTexts = (blocks: readonly unknown[], translations: JsonObject): unknown[] =>
  blocks.map((block) => (isTranslations(block) ? { ...block, translations } : block));

/** Blocks with the texts of rows in their places. An empty text is taken out. */
export const withRows = (blocks: readonly unknown[], rows: readonly CsvRow[]): unknown[] =>
  withTexts(blocks, withCsvTexts(textsIn(blocks), rows));

const nameOf = ({ key, form }: CsvRow): string => `${key} ${form}`;

/** The rows of before and those that are new: a text that is emptied keeps its row while the table is open. */
export const rowsBeside = (before: readonly CsvRow[], now: readonly CsvRow[]): CsvRow[] => {
  const current = new Map(now.map((row) => [nameOf(row), row]));
  const kept = before.map((row) => current.get(nameOf(row)) ?? { ...row, texts: new Map<string, string>() });
  const names = new Set(before.map(nameOf));
  return [...kept, ...now.filter((row) => !names.has(nameOf(row)))];
};
