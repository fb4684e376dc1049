const units = [
  ['hour', 3_600],
  ['minute', 60],
] as const;

const dayMs = 86_400_000;

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** The number of a day in the calendar of the browser; the days on which clocks are changed count like others. */
const dayOf = (moment: Date): number =>
  Date.UTC(moment.getFullYear(), moment.getMonth(), moment.getDate()) / dayMs;

/** How far off a moment is, in words; undefined for a week or more. A day and more are counted by the calendar. */
export const inWords = (moment: Date, now: Date): string | undefined => {
  const away = (moment.getTime() - now.getTime()) / 1_000;
  if (Math.abs(away) >= (7 * dayMs) / 1_000) return undefined;
  if (Math.abs(away) >= dayMs / 1_000) return relative.format(dayOf(moment) - dayOf(now), 'day');
  const [unit, size] = units.find(([, it]) => Math.abs(away) >= it) ?? (['second', 1] as const);
  return relative.format(Math.round(away / size), unit);
};
