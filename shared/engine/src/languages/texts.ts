import { isList, isObject, type JsonObject } from '../json.ts';
import { limits } from '../limits.ts';
import { languagesFor, ownLanguage, type Wanted } from './languages.ts';

/** The forms that a language may have for a number. */
export const pluralForms = ['zero', 'one', 'two', 'few', 'many', 'other'] as const;

/** See {@link pluralForms}. */
export type PluralForm = (typeof pluralForms)[number];

/** A text in the forms of a number. */
export interface PluralText {
  /** The path of the number. */
  readonly plural: string;
  readonly forms: Readonly<Partial<Record<PluralForm, string>>> & { readonly other: string };
}

/** A text of one language. */
export type TranslatedText = string | PluralText;

/** A text, and the language that it is found in; undefined where it is wrong, which is reported there. */
export interface FoundText {
  readonly text: TranslatedText | undefined;
  readonly language: string;
}

/** The texts of a list of blocks by language and by key. */
export type TextTable = ReadonlyMap<string, ReadonlyMap<string, TranslatedText | undefined>>;

/** The texts that blocks read by `{{@t.key}}`, in the language of the parse. */
export class Texts {
  /** Pointer to the entry that brings them. */
  readonly pointer: string;
  readonly table: TextTable;
  /** The keys that blocks read. */
  readonly used = new Set<string>();
  readonly #order: readonly string[];
  readonly #rules = new Map<string, Intl.PluralRules>();

  constructor(pointer: string, table: TextTable, language: Wanted) {
    this.pointer = pointer;
    this.table = table;
    this.#order = languagesFor(this.languages, language);
  }

  get languages(): string[] {
    return [...this.table.keys()];
  }

  /** All keys, whatever language has them. */
  get keys(): string[] {
    return [...new Set([...this.table.values()].flatMap((texts) => [...texts.keys()]))];
  }

  /** The text of a key in the first language that has it. */
  find(key: string): FoundText | undefined {
    for (const language of this.#order) {
      const texts = this.table.get(language);
      if (texts?.has(key)) return { text: texts.get(key), language };
    }
    return undefined;
  }

  /** Which form a number takes in a language. */
  formOf(language: string, number: number): PluralForm {
    let rules = this.#rules.get(language);
    if (rules === undefined) {
      rules = new Intl.PluralRules(language);
      this.#rules.set(language, rules);
    }
    return rules.select(number);
  }

  /** The language of the template's own texts. */
  own(own: string | undefined): string | undefined {
    return ownLanguage(this.languages, own);
  }
}

/** Whether an entry of a list brings the texts of the others. */
export const isTranslations = (entry: unknown): entry is JsonObject =>
  isObject(entry) && entry.type === 'directive' && entry.directive === '#translations';

/** Where entries of a list may have entries of their own. */
const insideOf = ['children', 'else', 'empty', 'child_blocks'];

/** Deeper ones are refused when they are parsed. */
const LEVELS = 2 * limits['engine.depth'].max;

/** How many languages the texts of blocks are in, those of partials too: each is a program of its own. */
export const countLanguages = (blocks: readonly unknown[], levels = LEVELS): number => {
  const counts = blocks.filter(isObject).flatMap((block) => {
    const { translations } = block;
    if (isTranslations(block)) return isObject(translations) ? [Object.keys(translations).length] : [];
    return insideOf.flatMap((key) => {
      const inner = block[key];
      return isList(inner) && levels > 0 ? [countLanguages(inner, levels - 1)] : [];
    });
  });
  return Math.max(0, ...counts);
};
