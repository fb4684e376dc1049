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

const aliases: Record<string, string> = { yyyy: 'YYYY', yy: 'YY', dd: 'DD', d: 'D' };

/** Writes a moment by a pattern like `YYYY-MM-DD HH:mm`, with names in the locale's language. */
export const formatPattern = (pattern: string, moment: Moment, formatters: Formatters): string => {
  const clock = clockOf(moment, formatters);
  return pattern.replace(token, (found) => {
    if (found.startsWith('[')) return found.slice(1, -1);
    const name = aliases[found] ?? found;
    const options = names[name];
    return options === undefined ? (clock[name] ?? found) : named(moment, formatters, options);
  });
};
