const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const absolute = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const seconds = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
const precise = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'long' });

/** How far off a moment is, in words; a week or more is a date. */
const inWords = (moment: Date, now: Date): string => {
  const away = (moment.getTime() - now.getTime()) / 1_000;
  if (Math.abs(away) >= 7 * 86_400) return absolute.format(moment);
  const [unit, size] = units.find(([, it]) => Math.abs(away) >= it) ?? (['second', 1] as const);
  return relative.format(Math.round(away / size), unit);
};

/** A moment, in words or (`exact`) as date and time, to the second where that matters; the browser's time zone. */
export const Time = ({
  at,
  exact = false,
}: {
  at: string | null | undefined;
  exact?: boolean | 'seconds';
}) => {
  if (at === null || at === undefined) return <>–</>;
  const moment = new Date(at);
  return (
    <time dateTime={at} title={precise.format(moment)}>
      {exact === false ? inWords(moment, new Date()) : (exact === true ? absolute : seconds).format(moment)}
    </time>
  );
};
