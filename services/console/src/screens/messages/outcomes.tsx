import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/operations.ts';
import { useActing } from '../../api/session-context.ts';
import { call } from '../../api/use-api.ts';
import { momentsOf } from '../../shell/moments.ts';
import { useFilters } from '../../shell/use-filters.ts';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/form.tsx';
import { Loading } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import styles from './messages.module.css';

const outcomes = ['sent', 'failed', 'unknown'] as const;

type Outcome = (typeof outcomes)[number];

interface Counted {
  readonly count: number;
  /** A busier day has more than were counted. */
  readonly isLeast: boolean;
}

interface Day extends Readonly<Record<Outcome, Counted>> {
  /** As in 2026-11-28, by the calendar of the browser. */
  readonly day: string;
}

const dayCount = 7;

/** A search looks at no more messages. */
const maxCounted = 10_000;

/** The days until now, the latest first. */
const lastDays = (now: Date): string[] =>
  Array.from({ length: dayCount }, (_, back) => {
    const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() - back);
    return [day.getFullYear(), day.getMonth() + 1, day.getDate()]
      .map((part) => String(part).padStart(2, '0'))
      .join('-');
  });

const dayWords = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short' });

/** How many messages of a template, or of all, had each outcome on each day. */
const useDays = (template_id: string | undefined) => {
  const { place } = useActing();
  const countOf = async (day: string, status: Outcome, signal: AbortSignal): Promise<Counted> => {
    const query = { ...momentsOf(day, day), status, template_id, limit: 1 };
    const { total } = (await call(api.listMessages, place, { query }, { signal })).pagination;
    return { count: total, isLeast: total >= maxCounted };
  };
  return useQuery({
    queryKey: [place.organization, place.environment, 'outcomes', template_id],
    queryFn: async ({ signal }) => {
      const days: Day[] = [];
      // One after the other: an organization has few searches at a time.
      for (const day of lastDays(new Date())) {
        const sent = await countOf(day, 'sent', signal);
        const failed = await countOf(day, 'failed', signal);
        days.push({ day, sent, failed, unknown: await countOf(day, 'unknown', signal) });
      }
      return days;
    },
    staleTime: 60_000,
  });
};

/** A day as a bar, as long as it had messages; the figures next to it say the same. */
const Bar = ({ day, most }: { day: Day; most: number }) => {
  const ends = outcomes.map((_, place) =>
    outcomes.slice(0, place).reduce((sum, outcome) => sum + day[outcome].count, 0),
  );
  return (
    <svg className={styles.bar} viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      {outcomes.map((outcome, place) => (
        <rect
          key={outcome}
          data-outcome={outcome}
          x={((ends[place] ?? 0) / most) * 100}
          width={(day[outcome].count / most) * 100}
          height="10"
        />
      ))}
    </svg>
  );
};

/** What came of the messages of the last seven days, of one template where one is chosen above. */
export const Outcomes = () => {
  const { given, set } = useFilters();
  const { data: days, error } = useDays(given('template'));
  if (error) return <Problem error={error} />;
  if (days === undefined) return <Loading label="Counting" lines={dayCount} />;
  const totalOf = (day: Day): number => outcomes.reduce((sum, outcome) => sum + day[outcome].count, 0);
  const most = Math.max(1, ...days.map(totalOf));
  return (
    <Table<Day>
      label="Outcomes by day"
      isDense
      rows={days}
      rowKey={({ day }) => day}
      columns={[
        {
          title: 'Day',
          cell: ({ day }) => <time dateTime={day}>{dayWords.format(new Date(`${day}T00:00:00`))}</time>,
        },
        { title: 'Messages', cell: (day) => <Bar day={day} most={most} /> },
        ...outcomes.map((outcome) => ({
          title: outcome.charAt(0).toUpperCase() + outcome.slice(1),
          isNumber: true,
          cell: ({ day, [outcome]: { count, isLeast } }: Day) =>
            count === 0 ? (
              0
            ) : (
              <Button look="link" onClick={() => set({ status: outcome, from: day, to: day })}>
                {`${count.toLocaleString('en')}${isLeast ? '+' : ''}`}
              </Button>
            ),
        })),
      ]}
    />
  );
};
