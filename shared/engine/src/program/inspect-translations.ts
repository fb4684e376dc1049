import { scanText } from '../expressions/placeholders/scan.ts';
import { pointerStep } from '../json.ts';
import {
  countLanguages,
  type PluralText,
  pluralForms,
  type Texts,
  type TranslatedText,
} from '../languages/texts.ts';
import { listed } from '../parse/nearest.ts';
import type { ParseContext, Scope } from '../parse/parse-context.ts';
import { CappedList, listProblems, type Problem } from '../run/problem.ts';
import { listWarnings, type Warning, warningAt } from '../run/run.ts';
import { languagesOf, type ParseOptions, parseIn, startContext } from './parse-template.ts';

/** What is wrong with the texts of a template in languages, and what its author may want to know of them. */
export interface InspectedTranslations {
  readonly problems: Problem[];
  readonly warnings: Warning[];
}

/** Loops around a text whose place is not known. */
const someLoops = Array.from({ length: 8 }).reduce<Scope | undefined>(
  (parent) => ({ name: undefined, steps: undefined, parent }),
  undefined,
);

const stringsOf = (text: TranslatedText): [string, string][] =>
  typeof text === 'string'
    ? [['', text]]
    : Object.entries(text.forms).map(([form, it]) => [pointerStep(form), it]);

/** The paths that a text reads, as they are written. */
const pathsIn = (text: TranslatedText, pointer: string, context: ParseContext): Set<string> => {
  const paths = new Set<string>(typeof text === 'string' ? [] : [text.plural]);
  for (const [step, string] of stringsOf(text)) {
    const scanned = scanText(string, { ...context, scope: someLoops, pointer: pointer + step });
    for (const { placeholder } of scanned?.holes ?? []) paths.add(placeholder.path.reference.written);
  }
  return paths;
};

/** Numbers that people count to: a form for millions or for fractions alone is not asked for. */
const counted = Array.from({ length: 201 }, (_, number) => number);

/** The forms that numbers take in a language, and those that people meet. */
interface LanguageForms {
  readonly known: ReadonlySet<string>;
  readonly needed: ReadonlySet<string>;
}

const formsOf = (language: string): LanguageForms => {
  const rules = new Intl.PluralRules(language);
  return {
    known: new Set(rules.resolvedOptions().pluralCategories),
    needed: new Set(counted.map((number) => rules.select(number))),
  };
};

/** Compares the texts that a template has in each language with its own. */
class Comparison {
  readonly problems = new CappedList<Problem>();
  readonly warnings = new CappedList<Warning>();
  readonly #texts: Texts;
  readonly #own: string;
  readonly #context: ParseContext;
  readonly #paths = new Map<string, Set<string>>();
  /** By language: it takes long to find them. */
  readonly #forms = new Map<string, LanguageForms>();

  constructor(texts: Texts, own: string) {
    this.#texts = texts;
    this.#own = own;
    // Each text is scanned by itself, and what a whole template may hold does not count here.
    const { parsing, ...context } = startContext('message');
    this.#context = { ...context, parsing: { ...parsing, problems: this.problems } };
  }

  compare(): void {
    const { table } = this.#texts;
    const own = table.get(this.#own) ?? new Map();
    for (const language of [this.#own, ...this.#texts.languages.filter((it) => it !== this.#own)]) {
      for (const [key, text] of table.get(language) ?? []) {
        if (text !== undefined) this.#compareText(language, key, text);
      }
    }
    for (const language of this.#texts.languages) {
      // `de-CH` has what differs from `de`.
      const isPart = this.#texts.languages.some((it) => language.startsWith(`${it}-`));
      const missing = isPart ? [] : [...own.keys()].filter((key) => !table.get(language)?.has(key));
      if (missing.length > 0)
        this.#warn(
          language,
          `these texts are missing: ${listed(missing)}; those of \`${this.#own}\` stand in.`,
        );
    }
    const missing = [...this.#texts.used].filter((key) => !own.has(key) && this.#texts.keys.includes(key));
    for (const key of missing) this.#reportMissing(key);
    const unused = this.#texts.keys.filter((key) => !this.#texts.used.has(key));
    if (unused.length > 0) {
      this.warnings.add(
        warningAt(
          'translations.unused',
          this.#texts.pointer,
          `no block reads these texts: ${listed(unused)}.`,
        ),
      );
    }
  }

  #pointerTo(language: string, key?: string): string {
    const pointer = `${this.#texts.pointer}/translations${pointerStep(language)}`;
    return key === undefined ? pointer : pointer + pointerStep(key);
  }

  #warn(language: string, story: string, key?: string): void {
    this.warnings.add(warningAt('translations.missing', this.#pointerTo(language, key), story));
  }

  #reportMissing(key: string): void {
    this.problems.add({
      pointer: this.#pointerTo(this.#own),
      rule: 'translations.missing',
      message: `The text \`${key}\` is missing in \`${this.#own}\`, the template’s own language, which stands in where another has none.`,
      hint: 'Add it there, or set the `locale` of the template to a language that has all texts.',
    });
  }

  #compareForms(language: string, key: string, { forms }: PluralText): void {
    const given = pluralForms.filter((form) => forms[form] !== undefined);
    // A text of `other` alone is the same for all numbers on purpose.
    if (given.length < 2) return;
    const { known, needed } = this.#forms.get(language) ?? formsOf(language);
    this.#forms.set(language, { known, needed });
    const missing = pluralForms.filter((form) => needed.has(form) && !given.includes(form));
    if (missing.length > 0) {
      this.#warn(
        language,
        `numbers in \`${language}\` also take ${listed(missing)}; the form \`other\` stands in.`,
        key,
      );
    }
    const unused = given.filter((form) => !known.has(form));
    if (unused.length === 0) return;
    const story = `no number in \`${language}\` takes ${listed(unused)}, so that is never shown; an \`#if\` can ask for a number.`;
    this.warnings.add(warningAt('translations.unused', this.#pointerTo(language, key), story));
  }

  #compareText(language: string, key: string, text: TranslatedText): void {
    const pointer = this.#pointerTo(language, key);
    this.#context.parsing.spent.placeholders = 0;
    const before = this.problems.count;
    const paths = pathsIn(text, pointer, this.#context);
    if (typeof text !== 'string') this.#compareForms(language, key, text);
    if (language === this.#own) {
      this.#paths.set(key, paths);
      return;
    }
    if (text === '' && this.#texts.table.get(this.#own)?.get(key) !== '') {
      const story = `the text is empty, and that of \`${this.#own}\` does not stand in: what has no other text is left out. Take the key out to have it stand in.`;
      this.#warn(language, story, key);
      return;
    }
    const own = this.#paths.get(key);
    // A text that is wrong is compared once it is right.
    if (own === undefined || this.problems.count > before) return;
    for (const path of [...paths].filter((it) => !own.has(it))) {
      const known = own.size === 0 ? 'none' : listed([...own]);
      this.problems.add({
        pointer,
        rule: 'translations.placeholder',
        message: `\`${path.slice(0, 80)}\` is read in \`${language}\` alone: the text of \`${this.#own}\` reads ${known}.`,
        hint: `Take it out, or add it to the text of \`${this.#own}\`; as {"plural": "${path.slice(0, 80)}", "other": "…"} that text reads it without showing it.`,
      });
    }
    const left = [...own].filter((it) => !paths.has(it));
    if (left.length > 0)
      this.#warn(
        language,
        `${listed(left)} of the text of \`${this.#own}\` ${left.length === 1 ? 'is' : 'are'} not shown.`,
        key,
      );
  }
}

const nameOf = ({ pointer, rule, message }: Problem): string => `${pointer} ${rule} ${message}`;

/**
 * Looks through the texts of a template in every language, those of its partials too. Those of a partial were compared
 * when it was saved.
 *
 * @returns undefined for a template without texts in languages
 */
export const inspectTranslations = (
  blocks: readonly unknown[],
  options: ParseOptions,
): InspectedTranslations | undefined => {
  if (countLanguages(blocks) === 0) return undefined;
  const own = parseIn(blocks, options, { own: options.ownLocale });
  const { texts } = own.ok ? own.program : own;
  if (texts.length === 0) return undefined;
  const ofTemplate = texts.find(({ pointer }) => /^\/\d+$/.test(pointer));
  const language = ofTemplate?.own(options.ownLocale);
  const comparison = ofTemplate && language !== undefined ? new Comparison(ofTemplate, language) : undefined;
  comparison?.compare();
  const problems = comparison ? listProblems(comparison.problems) : [];
  const told = new Set([...problems, ...(own.ok ? [] : own.problems)].map(nameOf));
  // What is wrong with a text by itself would be told again at each place that reads it.
  for (const locale of problems.length > 0 ? [] : languagesOf({ texts })) {
    const parsed = parseIn(blocks, options, { locale, own: options.ownLocale }, texts);
    for (const problem of parsed.ok ? [] : parsed.problems) {
      if (told.has(nameOf(problem))) continue;
      told.add(nameOf(problem));
      problems.push({ ...problem, message: `In \`${locale}\`: ${problem.message}` });
    }
  }
  return { problems, warnings: comparison ? listWarnings(comparison.warnings) : [] };
};
