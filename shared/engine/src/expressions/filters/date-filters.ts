import type { Formatters } from '../../run/formatters.ts';
import { cleanEntities } from '../../text/escape.ts';
import { SafeText } from '../../text/safe-text.ts';
import { formatPattern, isDatePattern } from './date-pattern.ts';
import { type Filter, markedKind, unformatted } from './filter.ts';
import { type Moment, momentForms, momentOf } from './moment.ts';

type Style = 'short' | 'medium' | 'long';

const isStyle = (text: string): text is Style => text === 'short' || text === 'medium' || text === 'long';

const formatDate = (format: string, moment: Moment, formatters: Formatters): string =>
  isStyle(format)
    ? formatters.date(format, { dateStyle: format }, moment.isDate).format(moment.at)
    : formatPattern(format, moment, formatters);

const formatFallback = (moment: Moment, formatters: Formatters): string => {
  const options: Intl.DateTimeFormatOptions = moment.isDate
    ? { dateStyle: 'medium' }
    : { dateStyle: 'medium', timeStyle: 'short' };
  return formatters.date(`fallback ${moment.isDate}`, options, moment.isDate).format(moment.at);
};

const DAY = 86_400;

const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', DAY],
  ['hour', 3_600],
  ['minute', 60],
];

/** The day of a moment in the run's time zone, as days since 1970. */
const dayIn = (at: number, formatters: Formatters): number => {
  const parts = formatters.clock(false).formatToParts(at);
  const part = (wanted: string): number => Number(parts.find(({ type }) => type === wanted)?.value);
  return Date.UTC(part('year'), part('month') - 1, part('day')) / 1000 / DAY;
};

const formatAgo = ({ at, isDate }: Moment, now: number, formatters: Formatters): string => {
  const days = (): number => (isDate ? at / 1000 / DAY : dayIn(at, formatters)) - dayIn(now, formatters);
  const seconds = isDate ? days() * DAY : Math.trunc((at - now) / 1000);
  const smallest = isDate ? (['day', DAY] as const) : (['second', 1] as const);
  const [unit, size] = units.find(([, length]) => Math.abs(seconds) >= length) ?? smallest;
  // A moment 30 hours ago may be of the day before yesterday.
  return formatters.ago(unit === 'day' ? days() : Math.trunc(seconds / size), unit);
};

/** Filters over moments. */
export const dateFilters: readonly Filter[] = [
  {
    name: 'date',
    cost: 32,
    takes: [
      {
        needs: '"short", "medium", "long" or a pattern like "YYYY-MM-DD HH:mm" (other letters in [brackets])',
        accepts: (given) => typeof given === 'string' && (isStyle(given) || isDatePattern(given)),
      },
    ],
    apply: (value, [format], environment) => {
      const moment = momentOf(value);
      if (moment === undefined) return unformatted(value, momentForms, environment);
      return formatDate(String(format), moment, environment.run.formatters);
    },
    meaning: 'a date in the run’s locale and time zone',
    example: '{{due | date:"medium"}}',
  },
  {
    name: 'chat_date',
    cost: 32,
    takes: [
      {
        needs: 'a text with tokens of the platform like "{date_short} {time}"',
        accepts: (given) => typeof given === 'string' && /\{[a-z_]+\}/.test(given) && !/[\^|<>]/.test(given),
      },
    ],
    last: true,
    apply: (value, [format], environment) => {
      const moment = momentOf(value);
      if (moment === undefined) return unformatted(value, momentForms, environment);
      const { run } = environment;
      const fallback = formatFallback(moment, run.formatters);
      // A calendar date is the same for all readers, and its midnight is the day before for some.
      if (moment.isDate || markedKind(environment) === undefined) return fallback;
      const plain = cleanEntities(fallback).replace(/[|^]/g, ' ');
      return new SafeText(`<!date^${Math.floor(moment.at / 1000)}^${format}|${plain}>`);
    },
    meaning: 'a moment in each reader’s own time zone; a date without a time is the same for all',
    example: '{{due | chat_date:"{date_short} {time}"}}',
  },
  {
    name: 'time_ago',
    cost: 32,
    takes: [],
    apply: (value, _, environment) => {
      const moment = momentOf(value);
      if (moment === undefined) return unformatted(value, momentForms, environment);
      return formatAgo(moment, environment.run.now, environment.run.formatters);
    },
    meaning: 'how long ago, in words; days are those of the calendar',
    example: '{{opened_at | time_ago}}',
  },
];
