import { days } from '../../ui/cron-words.ts';

/** How often, of what a form can ask for in words; what it cannot is written as a cron. */
export const rhythms = [
  ['weekdays', 'Every weekday, Monday to Friday'],
  ['daily', 'Every day'],
  ['weekly', 'Every week'],
  ['monthly', 'Every month'],
  ['hourly', 'Every hour'],
  ['cron', 'Other times, as a cron'],
] as const;

/** See {@link rhythms}. */
export type Rhythm = (typeof rhythms)[number][0];

/** The days of a week as choices. */
export const weekdays = [1, 2, 3, 4, 5, 6, 0].map((day) => [String(day), days[day] ?? ''] as const);

/** Times that come again, as a form has them. */
export interface RegularTimes {
  readonly rhythm: Rhythm;
  /** `09:00`. */
  readonly time: string;
  /** 0 is Sunday. */
  readonly weekday: string;
  readonly monthDay: string;
  /** Of the rhythm `cron`. */
  readonly cron: string;
}

const blank: RegularTimes = { rhythm: 'weekdays', time: '09:00', weekday: '1', monthDay: '1', cron: '' };

/** The cron of what was chosen. */
export const cronOf = ({ rhythm, time, weekday, monthDay, cron }: RegularTimes): string => {
  const [hour, minute] = time.split(':').map(Number);
  const at = `${minute ?? 0} ${hour ?? 0}`;
  switch (rhythm) {
    case 'weekdays':
      return `${at} * * 1-5`;
    case 'daily':
      return `${at} * * *`;
    case 'weekly':
      return `${at} * * ${weekday}`;
    case 'monthly':
      return `${at} ${monthDay} * *`;
    case 'hourly':
      return `${minute ?? 0} * * * *`;
    case 'cron':
      return cron.trim();
  }
};

const isIn = (text: string, most: number): boolean => /^\d{1,2}$/.test(text) && Number(text) <= most;

/** The choices that make a cron; the rhythm `cron` where none do. */
export const regularTimesOf = (cron: string): RegularTimes => {
  const [minute = '', hour = '', ofMonth = '', month = '', ofWeek = '', ...more] = cron.trim().split(/\s+/);
  const other: RegularTimes = { ...blank, rhythm: 'cron', cron };
  if (month !== '*' || more.length > 0 || !isIn(minute, 59)) return other;
  const days = `${ofMonth} ${ofWeek}`;
  if (hour === '*') {
    return days === '* *'
      ? { ...blank, rhythm: 'hourly', time: `00:${minute.padStart(2, '0')}`, cron }
      : other;
  }
  if (!isIn(hour, 23)) return other;
  const at = { ...blank, time: `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`, cron };
  if (days === '* *') return { ...at, rhythm: 'daily' };
  if (/^\* (1-5|mon-fri)$/i.test(days)) return { ...at, rhythm: 'weekdays' };
  if (ofMonth === '*' && isIn(ofWeek, 7)) {
    return { ...at, rhythm: 'weekly', weekday: String(Number(ofWeek) % 7) };
  }
  if (ofWeek === '*' && isIn(ofMonth, 31)) {
    return { ...at, rhythm: 'monthly', monthDay: String(Number(ofMonth)) };
  }
  return other;
};
