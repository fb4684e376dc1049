import type { CreditLogEntry, UsageGrouping } from '@stanza/contracts';
import { api } from '../../api/operations.ts';
import { useActing } from '../../api/session-context.ts';
import { useRead } from '../../api/use-api.ts';
import { FilterDays, FilterSelect } from '../../shell/filter-fields.tsx';
import { dayIn } from '../../shell/moments.ts';
import { useFilters } from '../../shell/use-filters.ts';
import { Badge } from '../../ui/badge.tsx';
import { Figures } from '../../ui/facts.tsx';
import { Answer, Listing, withNames } from '../../ui/listing.tsx';
import { Card, PageHead, Section, Toolbar } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useGroupNames } from './group-names.ts';
import { Limits } from './limits.tsx';
import { Plot } from './plot.tsx';

const groupings = [
  ['day', 'Day'],
  ['operation', 'Operation'],
  ['template', 'Template'],
  ['key', 'Key or session'],
] as const satisfies readonly (readonly [UsageGrouping, string])[];

const count = new Intl.NumberFormat('en');

/** A group of use; days are plotted. */
interface Group {
  group: string | null;
  credits: number;
}

const dayMs = 86_400_000;

/** Every UTC day of a report, those without use too. */
const daysOf = (from: string, to: string): string[] => {
  const [first, last] = [Date.parse(from), Date.parse(to)];
  const count = Math.round((last - first) / dayMs) + 1;
  return Array.from({ length: count }, (_, at) => new Date(first + at * dayMs).toISOString().slice(0, 10));
};

const DayPlot = ({ groups, from, to }: { groups: readonly Group[]; from: string; to: string }) => {
  const days = daysOf(from, to);
  const used = new Map(groups.map(({ group, credits }) => [group, credits]));
  const values = days.map((day) => used.get(day) ?? 0);
  return (
    <Card>
      <Plot label="Credits by day; the table below has the same figures" days={days} values={values} />
    </Card>
  );
};

const Report = () => {
  const { value, given } = useFilters();
  const grouping = groupings.find(([it]) => it === value('by'))?.[0] ?? 'day';
  const query = { group_by: grouping, from: dayIn(given('from')), to: dayIn(given('to')), limit: 100 };
  const { nameOfGroup, areLoading } = useGroupNames(grouping);
  const read = withNames(useRead(api.getUsage, { query }), areLoading);
  return (
    <Section title="Use" about="What was spent, in both environments together. Days are those of UTC.">
      <Toolbar label="Choose what to report">
        <FilterSelect name="by" label="By" value={grouping} options={groupings} />
        <FilterDays />
      </Toolbar>
      <Answer read={read}>
        {({ data, total, group_by, from, to, pagination }) =>
          data.length === 0 ? (
            <Empty title="Nothing was used">No message was sent in these days.</Empty>
          ) : (
            <>
              {pagination.total > data.length && (
                <p>
                  The first {count.format(data.length)} of {count.format(pagination.total)}, which have used
                  the most. The total is that of all.
                </p>
              )}
              {group_by === 'day' && <DayPlot groups={data} from={from} to={to} />}
              <Table
                label="Use"
                isDense
                rows={[...data, { group: 'total', ...total }]}
                rowKey={({ group }) => String(group)}
                columns={[
                  {
                    title: groupings.find(([it]) => it === group_by)?.[1] ?? 'Group',
                    cell: ({ group }) =>
                      group === 'total' ? <strong>Total</strong> : <bdi>{nameOfGroup(group)}</bdi>,
                  },
                  { title: 'Charges', cell: ({ charges }) => count.format(charges), isNumber: true },
                  { title: 'Taken back', cell: ({ reversals }) => count.format(reversals), isNumber: true },
                  { title: 'Credits', cell: ({ credits }) => count.format(credits), isNumber: true },
                ]}
              />
            </>
          )
        }
      </Answer>
    </Section>
  );
};

const Balance = () => {
  const { place } = useActing();
  const credits = useRead(api.getCredits, { params: { organization_id: place.organization } });
  const limits = useRead(api.getUsageLimits);
  return (
    <Answer read={credits} lines={2}>
      {({ tier, balance, available, reserved, overage_limit }) => (
        <Figures
          of={[
            [
              'Available',
              count.format(available),
              overage_limit === 0
                ? 'credits for messages'
                : `${count.format(balance)} left, and ${count.format(overage_limit)} more on account`,
            ],
            ['Reserved', count.format(reserved), 'for messages on their way'],
            [
              'Tier',
              tier,
              limits.data && `${count.format(limits.data.credits.monthly_grant)} credits a month`,
            ],
            [
              'Events today',
              limits.data?.events.used_today == null ? '–' : count.format(limits.data.events.used_today),
              limits.data && `of ${count.format(limits.data.events.per_day)}`,
            ],
          ]}
        />
      )}
    </Answer>
  );
};

const kinds = ['grant', 'charge', 'reversal', 'adjustment'] as const;

const Ledger = () => {
  const { place } = useActing();
  const { given, offset, set } = useFilters();
  const input = {
    params: { organization_id: place.organization },
    query: { offset, kind: given('kind') },
  };
  return (
    <Section title="Ledger" about="Each grant and each charge. The balance is their sum.">
      <Toolbar label="Filter the ledger">
        <FilterSelect name="kind" label="Kind" options={[['', 'Every kind'], ...kinds]} />
      </Toolbar>
      <Listing<CreditLogEntry>
        label="Ledger"
        read={useRead(api.listCreditLog, input)}
        rowKey={({ id }) => id}
        onOffset={(to) => set({ offset: to })}
        columns={[
          { title: 'Kind', cell: ({ kind }) => <Badge>{kind}</Badge> },
          { title: 'Credits', cell: ({ amount }) => count.format(amount), isNumber: true },
          { title: 'For', cell: ({ operation, reason }) => operation ?? reason ?? '–' },
          { title: 'Environment', cell: ({ environment }) => environment ?? 'both' },
          { title: 'When', cell: ({ created_at }) => <Time at={created_at} /> },
        ]}
        empty={<Empty title="No entry">Grants and charges show up here.</Empty>}
      />
    </Section>
  );
};

/** Credits, what they are spent on, and what the tier allows. */
export const Usage = () => (
  <>
    <PageHead title="Usage">
      A message that was sent costs one credit; one that failed costs nothing.
    </PageHead>
    <Balance />
    <Report />
    <Limits />
    <Ledger />
  </>
);
