import type { Formatters } from '../../run/formatters.ts';
import type { Moment } from './moment.ts';

const token = /\[[^\]]*\]|YYYY|yyyy|YY|yy|MMMM|MMM|MM|M|dddd|ddd|DD|dd|D|d|HH|H|hh|h|mm|ss|A|a/g;

/** Whether every letter of a pattern is a token or stands in `[brackets]`. */
export const isDatePattern = (pattern: string): boolean =>
  pattern.length > 0 && pattern.length <= 100 && !/\p{L}/u.test(pattern.replace(token, ''));

const named = (moment: Moment, formatters: Formatters, options: Intl.DateTimeFormatOptions): string =>
  // The digits are Gregorian, so the names must be too, whatever the locale's own calendar is.
  formatters
    .date(`gregory ${JSON.stringify(options)}`, { ...options, calendar: 'gregory' }, moment.isDate)
    .format(moment.at);

const ofDay: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'long', calendar: 'gregory' };

/** The month behind the number of a day, which many languages write in another case: `26 ноября`, and `ноябрь 2026`. */
const monthOfDay = (moment: Moment, formatters: Formatters): string | undefined => {
  const parts = formatters.date('gregory month of day', ofDay, moment.isDate).formatToParts(moment.at);
  const month = parts.find(({ type }) => type === 'month')?.value;
  // Some write a number there, and some a word more, which the pattern has itself.
  return month === undefined || /[\s\p{N}]/u.test(month) ? undefined : month;
};

const withoutZero = (digits: string): string => String(Number(digits));

const clockOf = (moment: Moment, formatters: Formatters): Record<string, string> => {
  const parts = formatters.clock(moment.isDate).formatToParts(moment.at);
  const found = Object.fromEntries(parts.map(({ type, value }) => [type, value]));
  const { year = '', month = '', day = '', hour = '', minute = '', second = '' } = found;
  const half = String(Number(hour) % 12 || 12);
  const noon = Number(hour) < 12 ? 'AM' : 'PM';
  return {
    YYYY: year.padStart(4, '0'),
    YY: year.slice(-2),
    MM: month,
    M: withoutZero(month),
    DD: day,
    D: withoutZero(day),
    HH: hour,
    H: withoutZero(hour),
    hh: half.padStart(2, '0'),
    h: half,
    mm: minute,
    ss: second,
    A: noon,
    a: noon.toLowerCase(),
  };
};

const names: Record<string, Intl.DateTimeFormatOptions> = {
  MMMM: { month: 'long' },
  MMM: { month: 'short' },
  dddd: { weekday: 'long' },
  ddd: { weekday: 'short' },
};

const dayNumber = /^(?:DD?|dd?)$/;

const aliases: Record<string, string> = { yyyy: 'YYYY', yy: 'YY', dd: 'DD', d: 'D' };

/** Writes a moment by a pattern like `YYYY-MM-DD HH:mm`, with names in the locale's language. */
export const formatPattern = (pattern: string, moment: Moment, formatters: Formatters): string => {
  const clock = clockOf(moment, formatters);
  const hasDay = pattern.match(token)?.some((found) => dayNumber.test(found)) ?? false;
  return pattern.replace(token, (found) => {
    if (found.startsWith('[')) return found.slice(1, -1);
    const name = aliases[found] ?? found;
    const options = names[name];
    if (options === undefined) return clock[name] ?? found;
    const inflected = hasDay && name === 'MMMM' ? monthOfDay(moment, formatters) : undefined;
    return inflected ?? named(moment, formatters, options);
  });
};
