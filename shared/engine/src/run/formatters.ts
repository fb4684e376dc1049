/** The locales and time zones whose formatters are kept at once. */
const KEPT = 32;
/** The formatters of one locale and time zone that are kept at once; a template that uses more makes some of them again. */
const KEPT_EACH = 16;

/** Remembers what is costly to make, forgetting the oldest. */
class BoundedCache<V> {
  /** Number of created formatters. */
  made = 0;
  readonly #entries = new Map<string, V>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** The cached value of the key, created on demand. */
  get(key: string, make: () => V): V {
    const known = this.#entries.get(key);
    if (known !== undefined) return known;
    const value = make();
    this.made += 1;
    const oldest = this.#entries.keys().next().value;
    if (this.#entries.size >= this.#most && oldest !== undefined) this.#entries.delete(oldest);
    this.#entries.set(key, value);
    return value;
  }
}

const clockParts: Intl.DateTimeFormatOptions = {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
};

/** The formatters of one locale and one time zone. */
export class Formatters {
  readonly locale: string;
  readonly timeZone: string;
  readonly #numbers = new BoundedCache<Intl.NumberFormat>(KEPT_EACH);
  readonly #dates = new BoundedCache<Intl.DateTimeFormat>(KEPT_EACH);
  #plurals: Intl.PluralRules | undefined;
  #named: Intl.RelativeTimeFormat | undefined;
  #counted: Intl.RelativeTimeFormat | undefined;

  constructor(locale: string, timeZone: string) {
    this.locale = locale;
    this.timeZone = timeZone;
  }

  /** Number of formatters created so far; each is costly. */
  get made(): number {
    return this.#numbers.made + this.#dates.made;
  }

  /** A number format; `key` stands for the options. */
  number(key: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
    return this.#numbers.get(key, () => new Intl.NumberFormat(this.locale, options));
  }

  /**
   * A date format in this time zone, or in UTC for calendar dates, which belong to no zone; `key` stands for the options.
   */
  date(key: string, options: Intl.DateTimeFormatOptions, utc: boolean): Intl.DateTimeFormat {
    const timeZone = utc ? 'UTC' : this.timeZone;
    return this.#dates.get(
      `${key} ${timeZone}`,
      () => new Intl.DateTimeFormat(this.locale, { ...options, timeZone }),
    );
  }

  /** The numbers of a moment in digits, whatever the locale; for patterns. */
  clock(utc: boolean): Intl.DateTimeFormat {
    const timeZone = utc ? 'UTC' : this.timeZone;
    return this.#dates.get(
      `clock ${timeZone}`,
      () => new Intl.DateTimeFormat('en-US', { ...clockParts, timeZone }),
    );
  }

  /** Which plural form a number takes. */
  get plurals(): Intl.PluralRules {
    this.#plurals ??= new Intl.PluralRules(this.locale);
    return this.#plurals;
  }

  /** Times like "3 hours ago", "yesterday", "1 month ago": 40 days ago may be no day of the last month. */
  ago(count: number, unit: Intl.RelativeTimeFormatUnit): string {
    this.#named ??= new Intl.RelativeTimeFormat(this.locale, { numeric: 'auto' });
    this.#counted ??= new Intl.RelativeTimeFormat(this.locale);
    const isNamed = unit === 'day' || unit === 'second';
    return (isNamed ? this.#named : this.#counted).format(count, unit);
  }
}

const cache = new BoundedCache<Formatters>(KEPT);

let latest = new Formatters('en-US', 'UTC');

/** The formatters of a locale and a time zone that are known to be valid. */
export const formattersFor = (locale: string, timeZone: string): Formatters => {
  // Runs of one kind follow each other, so most need no look-up.
  if (latest.locale !== locale || latest.timeZone !== timeZone) {
    latest = cache.get(`${locale} ${timeZone}`, () => new Formatters(locale, timeZone));
  }
  return latest;
};

/** Whether dates and numbers can be formatted for a BCP 47 tag. An unknown one would silently mean the server's own. */
export const isLocale = (tag: string): boolean => {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length === 1;
  } catch (error) {
    // A malformed tag; anything else is a fault of ours and must be seen.
    if (error instanceof RangeError) return false;
    throw error;
  }
};

/** Whether a name is a time zone. */
export const isTimeZone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).format(0) !== '';
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
};
