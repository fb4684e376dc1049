import styles from './plot.module.css';

const dayOf = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

const count = new Intl.NumberFormat('en');

const maxLines = 5;
const maxDayNames = 6;

/** Round counts from 0 to one that no value exceeds. */
const linesFor = (highest: number): number[] => {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, highest / maxLines)));
  const step = [1, 2, 5, 10].map((it) => it * power).find((it) => highest / it <= maxLines) ?? highest;
  return Array.from({ length: Math.max(1, Math.ceil(highest / step)) + 1 }, (_, place) => place * step);
};

const percent = (part: number, whole: number): string => `${(part / whole) * 100}%`;

/** A plot of a count by day. It is a picture: the table next to it has the same figures for everybody. */
export const Plot = ({
  label,
  days,
  values,
}: {
  label: string;
  days: readonly string[];
  values: readonly number[];
}) => {
  // A day that took back more than it spent, for messages of the day before, has no bar; the table has its figure.
  const heights = values.map((value) => Math.max(0, value));
  const lines = linesFor(Math.max(0, ...heights));
  const top = lines.at(-1) ?? 1;
  const named = Math.ceil(days.length / maxDayNames);
  return (
    <div className={styles.plot} role="img" aria-label={label}>
      {lines.map((line) => (
        <span key={line} className={styles.line} style={{ bottom: percent(line, top) }}>
          {count.format(line)}
        </span>
      ))}
      <svg viewBox={`0 0 ${days.length} ${top}`} preserveAspectRatio="none" aria-hidden="true">
        {days.map((day, place) => (
          <rect
            key={day}
            x={place + 0.15}
            width="0.7"
            y={top - (heights[place] ?? 0)}
            height={heights[place] ?? 0}
          />
        ))}
      </svg>
      {days.map(
        (day, place) =>
          place % named === 0 && (
            <span
              key={day}
              className={styles.day}
              data-second={(place / named) % 2 === 1}
              style={{ left: percent(place + 0.5, days.length) }}
            >
              {dayOf.format(Date.parse(day))}
            </span>
          ),
      )}
    </div>
  );
};
