/** The language that stands in where neither the request nor the template names one that the texts have. */
const LAST = 'en-US';

/** A tag in the form in which BCP 47 writes it: `de-CH`; undefined for what is none. */
export const canonicalTag = (tag: string): string | undefined => {
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
};

/** A tag and what is left of it without its last parts: `zh-Hant-TW`, `zh-Hant`, `zh`. */
const chainOf = (tag: string | undefined): string[] => {
  const parts = tag === undefined ? [] : (canonicalTag(tag)?.split('-') ?? []);
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('-'));
};

const writings = new Map<string, string>();
/** The tags that are remembered at once; requests may name any. */
const WRITINGS = 1_000;

/** A language in a script, which tags may leave out: `zh-TW` and `zh-Hant` are both `zh-Hant`, and `zh` is `zh-Hans`. */
const writingOf = (tag: string): string => {
  const known = writings.get(tag);
  if (known !== undefined) return known;
  const { language, script } = new Intl.Locale(tag).maximize();
  if (writings.size >= WRITINGS) writings.clear();
  // `no` is the older tag of the same.
  const writing = `${language === 'no' ? 'nb' : language}-${script}`;
  writings.set(tag, writing);
  return writing;
};

/** What the readers of a tag read, the nearest first: `de-CH`, `de`, other German, and another script last. */
const readableAs = (wanted: string | undefined, known: readonly string[]): string[] => {
  const chain = chainOf(wanted);
  const [whole] = chain;
  if (whole === undefined) return [];
  const writing = writingOf(whole);
  const same = known.filter((tag) => writingOf(tag) === writing).sort();
  return [...chain.filter((tag) => same.includes(tag)), ...same, ...chain];
};

/** What decides in which language texts are read. */
export interface Wanted {
  /** That of the run. */
  readonly locale?: string | undefined;
  /** That of the template, whose language is the template's own. */
  readonly own?: string | undefined;
}

/**
 * The languages of texts in the order in which they are looked through: what is asked for, what it is a part of
 * (`de-CH`, `de`) and what else its readers read, the template's own likewise, English, the others by their names.
 */
export const languagesFor = (known: readonly string[], { locale, own }: Wanted): string[] => {
  const order = [locale, own, LAST].flatMap((tag) => readableAs(tag, known)).concat([...known].sort());
  return [...new Set(order)].filter((tag) => known.includes(tag));
};

/** The language of the template's own texts, which all others are compared with. */
export const ownLanguage = (known: readonly string[], own: string | undefined): string | undefined =>
  languagesFor(known, { own })[0];
