import { z } from 'zod';

/** Whether Intl accepts a value: it throws where it does not. */
const isTakenBy = (take: (text: string) => unknown) => (text: string) => {
  try {
    take(text);
    return true;
  } catch (error) {
    if (error instanceof RangeError || Object(error).name === 'RangeError') return false;
    throw error;
  }
};

/** Well-formed is not enough: Intl would silently fall back to another language for `xx`. */
const isLocale = isTakenBy((text) => {
  if (Intl.DateTimeFormat.supportedLocalesOf(text).length === 0) throw new RangeError('unknown locale');
});
const isTimeZone = isTakenBy((text) => new Intl.DateTimeFormat('en', { timeZone: text }));

/** The language of numbers and dates, as BCP 47 names it. */
export const locale = z.string().min(2).max(35).refine(isLocale, 'is no BCP 47 locale, like en-GB');

/** A time zone, as IANA names it. */
export const timezone = z
  .string()
  .min(1)
  .max(64)
  .refine(isTimeZone, 'is no IANA time zone, like Europe/Berlin');
