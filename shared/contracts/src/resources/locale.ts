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

/** In place of a locale: that of the person whom a message goes to. */
export const recipientLocale = 'recipient';

/** The language of a message: a locale, or that of its recipient. */
export const messageLocale = z
  .string()
  .min(2)
  .max(35)
  .refine(
    (text) => text === recipientLocale || isLocale(text),
    'is neither a BCP 47 locale, like en-GB, nor `recipient`',
  )
  .describe(
    "BCP 47, for texts in languages, numbers and dates, or `recipient`: that of the person's account at the chat platform, and the template's where the message goes to a channel. Default: the template's, else en-US",
  )
  .meta({ id: 'MessageLocale' });

/** A time zone, as IANA names it. */
export const timezone = z
  .string()
  .min(1)
  .max(64)
  .refine(isTimeZone, 'is no IANA time zone, like Europe/Berlin');
