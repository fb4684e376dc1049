import { isTimeZone } from '../run/formatters.ts';
import { encodeAddress } from '../text/value-in-address.ts';
import { type AddressUse, faultOfAddress, faultOfTemplate, soundnessOf } from './address.ts';

/** The form of a text that a machine reads. */
export interface TextForm {
  /** What the text is, for messages: "a date as YYYY-MM-DD". */
  readonly words: string;
  /** The fault of a text, in words that follow "it"; undefined for a valid one. The words never quote the text. */
  readonly faultOf: (text: string) => string | undefined;
  /** A regular expression without flags that every valid text matches, for the JSON Schema. */
  readonly pattern: string;
  /**
   * The fault of a text with placeholders that no data can mend: `head` stands before the first of them, `parts` are all
   * texts between them.
   */
  readonly faultOfTemplate?: (head: string, parts: readonly string[]) => string | undefined;
  /** Makes a quick test of texts with this head: those that pass need no other test, and no preparation. */
  readonly soundnessOf?: (head: string) => (text: string) => boolean;
  /** Changes a text that holds values of the data before it is tested. */
  readonly prepare?: (text: string) => string;
  /** The way out, for what a template writes and for what data makes. */
  readonly hint?: string;
}

const address = (use: AddressUse, words: string, pattern: string, hint: string): TextForm => ({
  words,
  pattern,
  hint,
  faultOf: (text) => faultOfAddress(text, use),
  faultOfTemplate: (head, parts) => faultOfTemplate(head, parts, use),
  soundnessOf: (head) => soundnessOf(head, use),
  prepare: encodeAddress,
});

const inFull = 'Write it in full, like "https://example.com/page".';

/** An address that the platform itself fetches. */
export const webAddress = address(
  'fetched',
  'a web address (https://…)',
  '^[hH][tT][tT][pP][sS]?://[^/?#\\s]',
  inFull,
);

/** An address that the platform shows inside a message. */
export const secureAddress = address(
  'secure',
  'an address with https',
  '^[hH][tT][tT][pP][sS]://[^/?#\\s]',
  inFull,
);

/** An address that a person presses. */
export const pressedAddress = address(
  'pressed',
  'an address with its scheme (https://…, mailto:…, or an app link like slack://…)',
  '^[A-Za-z][A-Za-z0-9+.-]*:[^\\s]',
  inFull,
);

const matching = (
  pattern: RegExp,
  words: string,
  hint: string,
  test: (text: string) => boolean = () => true,
): TextForm => ({
  words,
  hint,
  pattern: pattern.source,
  faultOf: (text) => {
    if (!pattern.test(text)) return 'is not written so';
    return test(text) ? undefined : 'is not in the calendar';
  },
});

/** Whether a date as YYYY-MM-DD is a day of the calendar. */
export const isCalendarDate = (text: string): boolean => {
  const time = Date.parse(`${text}T00:00:00Z`);
  // Engines differ in whether they read the 31st of February, as a day of March, or refuse it.
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(text);
};

/** A day of the calendar. */
export const calendarDate = matching(
  /^\d{4}-\d{2}-\d{2}$/,
  'a date as YYYY-MM-DD',
  'A moment of the data becomes one by the filter `date:"yyyy-MM-dd"`.',
  isCalendarDate,
);

/** A time of day. */
export const timeOfDay = matching(
  /^(?:[01]\d|2[0-3]):[0-5]\d$/,
  'a time as HH:mm',
  'A moment of the data becomes one by the filter `date:"HH:mm"`.',
);

/** A number, written as text. */
export const numeral = matching(
  /^-?\d+(?:\.\d+)?$/,
  'a number written as text',
  'Write digits and a point alone, like "1250.5": no groups, no exponent, no plus.',
);

/** Zones that were found to be known, or not: asking takes 20 µs, and texts of the data may ask for each message. */
const zones = new Map<string, boolean>();
const ZONES_KEPT = 1_000;
const LONGEST_ZONE = 64;

/** Whether a text is the name of a time zone; an offset like `+02:00` is none. */
export const isZoneName = (text: string): boolean => {
  if (text.length > LONGEST_ZONE || !/^[A-Za-z]/.test(text)) return false;
  const known = zones.get(text);
  if (known !== undefined) return known;
  const found = isTimeZone(text);
  if (zones.size >= ZONES_KEPT) zones.clear();
  zones.set(text, found);
  return found;
};

/** The name of a time zone. */
export const timeZone: TextForm = {
  words: 'an IANA time zone (Europe/Berlin)',
  pattern: '^[A-Za-z]',
  faultOf: (text) => (isZoneName(text) ? undefined : 'is no time zone that is known'),
};

/** Every form. */
export const textForms: readonly TextForm[] = [
  webAddress,
  secureAddress,
  pressedAddress,
  calendarDate,
  timeOfDay,
  numeral,
  timeZone,
];
