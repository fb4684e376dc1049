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

/** What decides in which language texts are read. */
export interface Wanted {
  /** That of the run. */
  readonly locale?: string | undefined;
  /** That of the template, whose language is the template's own. */
  readonly own?: string | undefined;
}

/**
 * The languages of texts in the order in which they are looked through: what is asked for and what it is a part of
 * (`de-CH`, `de`), the template's own, English, the others by their names.
 */
export const languagesFor = (known: readonly string[], { locale, own }: Wanted): string[] => {
  const order = [...chainOf(locale), ...chainOf(own), ...chainOf(LAST), ...[...known].sort()];
  return [...new Set(order)].filter((tag) => known.includes(tag));
};

/** The language of the template's own texts, which all others are compared with. */
export const ownLanguage = (known: readonly string[], own: string | undefined): string | undefined =>
  languagesFor(known, { own })[0];
