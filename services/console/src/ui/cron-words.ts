/** The days of a week, as a cron counts them. */
export const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** The days of a cron in words, where it names them in a way that has some. */
const daysOf = (ofMonth: string, month: string, ofWeek: string): string | undefined => {
  if (month !== '*') return undefined;
  if (ofMonth === '*' && ofWeek === '*') return 'every day';
  if (ofMonth === '*' && /^(1-5|mon-fri)$/i.test(ofWeek)) return 'every weekday';
  if (ofMonth === '*' && /^[0-7]$/.test(ofWeek)) return `every ${days[Number(ofWeek) % 7]}`;
  if (ofWeek === '*' && /^\d{1,2}$/.test(ofMonth)) return `every month on day ${Number(ofMonth)}`;
  if (ofWeek === '*' && ofMonth === 'L') return 'on the last day of every month';
  return undefined;
};

/** A zone by its place: `Berlin` of `Europe/Berlin`. */
const placeOf = (zone: string): string =>
  zone === 'UTC' ? 'UTC' : `in ${(zone.split('/').at(-1) ?? zone).replaceAll('_', ' ')}`;

/**
 * The times of a cron as people say them, as `every weekday at 9:00 in Berlin`; undefined for one without plain words.
 */
export const cronWords = (
  cron: string,
  timezone: string | null,
  /** Left out where the zone is not known. */
  hasZone = true,
): string | undefined => {
  const place = hasZone ? ` ${placeOf(timezone ?? 'UTC')}` : '';
  const [minute = '', hour = '', ofMonth = '', month = '', ofWeek = '', ...more] = cron.trim().split(' ');
  const on = daysOf(ofMonth, month, ofWeek);
  if (on === undefined || more.length > 0) return undefined;
  const [, step] = /^\*\/(\d{1,2})$/.exec(minute) ?? [];
  if (step !== undefined && hour === '*' && on === 'every day' && 60 % Number(step) === 0) {
    return Number(step) === 1 ? 'every minute' : `every ${Number(step)} minutes`;
  }
  if (!/^\d{1,2}$/.test(minute)) return undefined;
  const at = minute.padStart(2, '0');
  if (hour === '*' && on === 'every day') return at === '00' ? 'every hour' : `every hour at :${at}`;
  return /^\d{1,2}$/.test(hour) ? `${on} at ${Number(hour)}:${at}${place}` : undefined;
};
