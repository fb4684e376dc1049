import type { ScheduledMessage } from '@stanza/contracts';
import { useState } from 'react';
import { api } from '../../api/operations.ts';
import { useRead } from '../../api/use-api.ts';
import { Allowed, useMay } from '../../shell/allowed.tsx';
import { useChatNames } from '../../shell/chat-names.ts';
import { FilterSelect } from '../../shell/filter-fields.tsx';
import { ScreenLink } from '../../shell/screen-link.tsx';
import { targetIds, targetName } from '../../shell/target-names.ts';
import { useFilters } from '../../shell/use-filters.ts';
import { StateBadge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { cronWords } from '../../ui/cron-words.ts';
import { Listing, withNames } from '../../ui/listing.tsx';
import { PageHead, Toolbar } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { useTemplates } from '../template-names.ts';
import { ScheduleForm } from './schedule-form.tsx';

const states = {
  active: 'scheduled',
  paused: 'paused',
  completed: 'completed',
  cancelled: 'cancelled',
} as const;

/** The state of a schedule in words; the API's word for one with runs to come is not said. */
export const ScheduleState = ({ status }: Pick<ScheduledMessage, 'status'>) => (
  <StateBadge state={states[status]} />
);

/** Messages that are sent at a time, or again and again. */
export const Schedules = () => {
  const { value, given, isSet, offset, set } = useFilters();
  const { optionsWith, nameOf, isLoading } = useTemplates();
  const [isMaking, make] = useState(false);
  const mayWrite = useMay('messages:create');
  const query = { offset, status: given('status'), template_id: given('template') };
  const read = useRead(api.listSchedules, { query }, { everyMs: 15_000 });
  const names = useChatNames(Boolean(read.data?.data.length), read.data?.data.flatMap(targetIds));
  return (
    <>
      <PageHead
        title="Schedules"
        actions={
          <Allowed scope="messages:create" to="to schedule a message">
            <Button look="primary" onClick={() => make(true)}>
              New schedule
            </Button>
          </Allowed>
        }
      >
        Messages that go out at a time, or again and again. Each run uses the version that is live then.
      </PageHead>
      <Toolbar label="Filter schedules">
        <FilterSelect
          name="status"
          label="State"
          options={[['', 'Every state'], ...Object.entries(states)]}
        />
        <FilterSelect
          name="template"
          label="Template"
          options={[['', 'Every template'], ...optionsWith(value('template'))]}
        />
      </Toolbar>
      <Listing<ScheduledMessage>
        label="Schedules"
        read={withNames(read, isLoading)}
        rowKey={({ id }) => id}
        onOffset={(to) => set({ offset: to })}
        isFiltered={isSet('status', 'template')}
        columns={[
          {
            title: 'Template',
            cell: ({ id, template_id }) => (
              <ScreenLink screen="schedules" item={id}>
                {nameOf(template_id)}
              </ScreenLink>
            ),
          },
          { title: 'To', cell: (schedule) => targetName(schedule, names) },
          {
            title: 'When',
            cell: ({ cron, send_at, timezone }) =>
              cron === null ? (
                <Time at={send_at} exact />
              ) : (
                (cronWords(cron, timezone) ?? (
                  <span>
                    <code>{cron}</code> {timezone ?? 'UTC'}
                  </span>
                ))
              ),
          },
          { title: 'Next run', cell: ({ next_run_at }) => <Time at={next_run_at} /> },
          {
            title: 'Last run',
            cell: ({ last_run }) => (last_run === null ? '–' : <StateBadge state={last_run.status} />),
          },
          { title: 'State', cell: ({ status }) => <ScheduleState status={status} /> },
        ]}
        empty={
          <Empty
            title="No schedule"
            action={mayWrite && <Button onClick={() => make(true)}>Schedule the first message</Button>}
          >
            Send a template tomorrow at nine, or every weekday at nine.
          </Empty>
        }
      />
      {isMaking && <ScheduleForm onClose={() => make(false)} />}
    </>
  );
};
