import { nowOf, type ViewContext } from '../context.ts';

/** Formats a moment for the reader's language and zone. */
function format(context: ViewContext, date: Date, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(context.locale, { timeZone: context.timeZone, ...options }).format(date);
}

/** A moment as a message shows it: the time today, the day before that. */
export function shortTime(date: Date, context: ViewContext): string {
  const dayOf = (moment: Date) => format(context, moment, { dateStyle: 'short' });
  const time = format(context, date, { hour: '2-digit', minute: '2-digit' });
  if (dayOf(date) === dayOf(nowOf(context))) return time;
  return `${format(context, date, { day: 'numeric', month: 'short' })}, ${time}`;
}

/** A moment in full. */
export function fullTime(date: Date, context: ViewContext): string {
  return format(context, date, { dateStyle: 'full', timeStyle: 'medium' });
}

const tokens = new Map<string, Intl.DateTimeFormatOptions>([
  ['date_num', { year: 'numeric', month: '2-digit', day: '2-digit' }],
  ['date', { dateStyle: 'long' }],
  ['date_short', { dateStyle: 'medium' }],
  ['date_long', { dateStyle: 'full' }],
  ['date_pretty', { dateStyle: 'long' }],
  ['date_short_pretty', { dateStyle: 'medium' }],
  ['date_long_pretty', { dateStyle: 'full' }],
  ['time', { timeStyle: 'short' }],
  ['time_secs', { timeStyle: 'medium' }],
]);

/** Fills a date pattern such as `{date_short} at {time}`. An unknown token stays as it is written. */
export function fillDatePattern(date: Date, pattern: string, context: ViewContext): string {
  return pattern.replaceAll(/\{(\w+)\}/g, (whole, token: string) => {
    if (token === 'ago') return relativeTime(date, context);
    const options = tokens.get(token);
    return options === undefined ? whole : format(context, date, options);
  });
}

const units: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

function relativeTime(date: Date, context: ViewContext): string {
  const seconds = Math.round((date.getTime() - nowOf(context).getTime()) / 1_000);
  const [unit, length] = units.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1];
  const words = new Intl.RelativeTimeFormat(context.locale, { numeric: 'auto' });
  return words.format(Math.round(seconds / length), unit);
}
