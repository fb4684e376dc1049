const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const absolute = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const precise = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'long' });

/** How far off a moment is, in words; a week or more is a date. */
const inWords = (moment: Date, now: Date): string => {
  const seconds = (moment.getTime() - now.getTime()) / 1_000;
  if (Math.abs(seconds) >= 7 * 86_400) return absolute.format(moment);
  const [unit, size] = units.find(([, it]) => Math.abs(seconds) >= it) ?? (['second', 1] as const);
  return relative.format(Math.round(seconds / size), unit);
};

/** A moment, in words or (`exact`) as date and time; the browser's time zone. */
export const Time = ({ at, exact = false }: { at: string | null | undefined; exact?: boolean }) => {
  if (at === null || at === undefined) return <>–</>;
  const moment = new Date(at);
  return (
    <time dateTime={at} title={precise.format(moment)}>
      {exact ? absolute.format(moment) : inWords(moment, new Date())}
    </time>
  );
};
