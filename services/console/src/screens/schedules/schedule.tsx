import type { ScheduledMessageDetails } from '@stanza/contracts';
import { api } from '../../api/operations.ts';
import { useChange, useRead } from '../../api/use-api.ts';
import { ScreenLink } from '../../shell/screen-link.tsx';
import { StateBadge } from '../../ui/badge.tsx';
import { ConfirmButton } from '../../ui/confirm.tsx';
import { Json } from '../../ui/copyable.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Answer } from '../../ui/listing.tsx';
import { Card, PageHead, Section } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useChatNames } from '../chat-names.ts';
import { targetName } from '../messages/names.ts';
import { useTemplates } from '../template-names.ts';
import { ScheduleState } from './schedules.tsx';

const Runs = ({ runs }: Pick<ScheduledMessageDetails, 'runs'>) => (
  <Section title="Runs" about="The latest twenty, the newest first.">
    {runs.length === 0 ? (
      <Empty title="No run yet">Each due time shows up here with what came of it.</Empty>
    ) : (
      <Table
        label="Runs"
        rows={runs}
        rowKey={({ due_at }) => due_at}
        columns={[
          { title: 'Due', cell: ({ due_at }) => <Time at={due_at} exact /> },
          { title: 'Outcome', cell: ({ status }) => <StateBadge state={status} /> },
          {
            title: 'Message',
            cell: ({ message_id }) =>
              message_id === null ? (
                '–'
              ) : (
                <ScreenLink screen="messages" item={message_id}>
                  Open
                </ScreenLink>
              ),
          },
          { title: 'Why', cell: ({ error, error_details }) => error_details ?? error ?? '–' },
        ]}
      />
    )}
  </Section>
);

const Details = ({ schedule }: { schedule: ScheduledMessageDetails }) => {
  const { nameOf } = useTemplates();
  const names = useChatNames(true);
  const cancelling = useChange(api.cancelSchedule);
  return (
    <>
      <PageHead
        title={nameOf(schedule.template_id)}
        above={<ScreenLink screen="schedules">Schedules</ScreenLink>}
        actions={
          schedule.status === 'active' && (
            <ConfirmButton
              label="Cancel schedule"
              title="Cancel this schedule?"
              act={() => cancelling.mutateAsync({ params: { id: schedule.id } })}
              change={cancelling}
            >
              No run begins any more. What is on its way is either posted or stopped.
            </ConfirmButton>
          )
        }
      >
        To {targetName(schedule, names)}
      </PageHead>
      <Card>
        <Facts
          of={[
            ['State', <ScheduleState key="state" status={schedule.status} />],
            ['Sent once, at', schedule.send_at && <Time key="at" at={schedule.send_at} exact />],
            ['Cron', schedule.cron && <code key="cron">{schedule.cron}</code>],
            ['Time zone', schedule.timezone],
            [
              'After a downtime',
              schedule.catch_up ? 'what was missed is sent, once' : 'what was missed is skipped',
            ],
          ]}
        />
      </Card>
      <Section title="Next runs">
        {schedule.next_runs.length === 0 ? (
          <Empty title="No run is to come">The schedule has ended.</Empty>
        ) : (
          <Card>
            <ol>
              {schedule.next_runs.map((at) => (
                <li key={at}>
                  <Time at={at} exact /> · <Time at={at} />
                </li>
              ))}
            </ol>
          </Card>
        )}
      </Section>
      <Section title="Data" about="What the placeholders of the template read.">
        <Json label="Data" value={schedule.data} />
      </Section>
      <Runs runs={schedule.runs} />
    </>
  );
};

/** One schedule: its next runs, its data and its last runs. */
export const ScheduleScreen = ({ id }: { id: string }) => (
  <Answer asked={useRead(api.getSchedule, { params: { id } }, { everyMs: 15_000 })}>
    {(schedule) => <Details schedule={schedule} />}
  </Answer>
);
