import type { ScheduledMessageDetails } from '@stanza/contracts';
import { lazy, Suspense, useState } from 'react';
import { api } from '../../api/operations.ts';
import { useSay } from '../../api/say.ts';
import { useChange, useRead } from '../../api/use-api.ts';
import { Allowed } from '../../shell/allowed.tsx';
import { useChatNames } from '../../shell/chat-names.ts';
import { ScreenLink } from '../../shell/screen-link.tsx';
import { targetIds, targetName } from '../../shell/target-names.ts';
import { StateBadge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/confirm.tsx';
import { cronWords } from '../../ui/cron-words.ts';
import { Facts } from '../../ui/facts.tsx';
import { Problem } from '../../ui/form.tsx';
import { inZone } from '../../ui/in-zone.ts';
import { Answer, withNames } from '../../ui/listing.tsx';
import { Card, PageHead, Section } from '../../ui/page.tsx';
import { Why } from '../../ui/sentence.tsx';
import { Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { Values } from '../../ui/values.tsx';
import { useTemplates } from '../template-names.ts';
import { ScheduleForm } from './schedule-form.tsx';
import { ScheduleState } from './schedules.tsx';

const ScheduledMessagePart = lazy(async () => ({
  default: (await import('./scheduled-message.tsx')).ScheduledMessagePart,
}));

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
          {
            title: 'Started by',
            cell: ({ requested_by }) => (requested_by === null ? 'the schedule' : 'Run now'),
          },
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
          {
            title: 'Why',
            cell: ({ error, error_details }) => <Why details={error_details ?? error ?? '–'} />,
          },
        ]}
      />
    )}
  </Section>
);

/** What came of *Run now*, as soon as that is known. */
const RunOutcome = ({ id, dueAt, to }: { id: string; dueAt: string; to: string }) => {
  const read = useRead(api.getSchedule, { params: { id } }, { everyMs: 2_000 });
  const run = read.data?.runs.find(({ due_at }) => due_at === dueAt);
  return (
    <>
      A run to {to} was started{run && run.ended_at !== null && `: it is ${run.status}`}.{' '}
      {run && run.message_id !== null ? (
        <ScreenLink screen="messages" item={run.message_id}>
          Open the message
        </ScreenLink>
      ) : (
        'Runs, at the end of the page, shows what comes of it.'
      )}
    </>
  );
};

const Actions = ({
  schedule,
  to,
  onEdit,
}: {
  schedule: ScheduledMessageDetails;
  to: string;
  onEdit: () => void;
}) => {
  const say = useSay();
  const cancelling = useChange(api.cancelSchedule);
  const pausing = useChange(api.pauseSchedule);
  const resuming = useChange(api.resumeSchedule);
  const running = useChange(api.runScheduleNow, (run) =>
    say(<RunOutcome id={schedule.id} dueAt={run.due_at} to={to} />),
  );
  const input = { params: { id: schedule.id } };
  return (
    <Allowed scope="messages:create" to="to change this schedule">
      <Button onClick={onEdit}>Edit…</Button>
      {schedule.status === 'paused' ? (
        <Button busy={resuming.isPending} onClick={() => resuming.mutate(input)}>
          Resume
        </Button>
      ) : (
        <Button busy={pausing.isPending} onClick={() => pausing.mutate(input)}>
          Pause
        </Button>
      )}
      <ConfirmButton
        label="Run now"
        title={`Send this message to ${to} now?`}
        look="plain"
        act={() => running.mutateAsync(input)}
        change={running}
      >
        It is sent now, with the version that is live, and costs a credit. The times of the schedule stay as
        they are.
      </ConfirmButton>
      <ConfirmButton
        label="Cancel schedule"
        title="Cancel this schedule?"
        keepLabel="Keep it"
        act={() => cancelling.mutateAsync(input)}
        change={cancelling}
      >
        No run begins any more. What is on its way is either posted or stopped.
      </ConfirmButton>
      <Problem error={pausing.error ?? resuming.error} />
    </Allowed>
  );
};

/** What stands in place of the next runs where there are none. */
const NoRun = ({ status }: Pick<ScheduledMessageDetails, 'status'>) =>
  status === 'paused' ? (
    <Empty title="Paused">
      No run begins until it is resumed. Then the first one after that moment is next: what was missed is not
      sent.
    </Empty>
  ) : (
    <Empty title="No run is to come">The schedule has ended.</Empty>
  );

const Details = ({ schedule }: { schedule: ScheduledMessageDetails }) => {
  const [isEditing, edit] = useState(false);
  const { nameOf } = useTemplates();
  const names = useChatNames(true, targetIds(schedule));
  const isCronAlone = schedule.cron !== null && cronWords(schedule.cron, schedule.timezone) === undefined;
  const isOpen = schedule.status === 'active' || schedule.status === 'paused';
  const to = targetName(schedule, names);
  return (
    <>
      <PageHead
        title={nameOf(schedule.template_id)}
        above={<ScreenLink screen="schedules">Schedules</ScreenLink>}
        actions={isOpen && <Actions schedule={schedule} to={to} onEdit={() => edit(true)} />}
      >
        To {to}
      </PageHead>
      {/* Stays with what is entered in it when the schedule ends. */}
      {isEditing && <ScheduleForm schedule={schedule} onClose={() => edit(false)} />}
      <Card>
        <Facts
          of={[
            ['State', <ScheduleState key="state" status={schedule.status} />],
            ['Sent once, at', schedule.send_at && <Time key="at" at={schedule.send_at} exact />],
            ['Sent', schedule.cron && cronWords(schedule.cron, schedule.timezone)],
            ['Cron', isCronAlone && <code key="cron">{schedule.cron}</code>],
            ['Time zone', schedule.timezone],
            [
              'If the service was down at that time',
              schedule.catch_up ? 'it is sent afterwards, once' : 'that run is left out',
            ],
          ]}
        />
      </Card>
      <Section title="Next runs">
        {schedule.next_runs.length === 0 ? (
          <NoRun status={schedule.status} />
        ) : (
          <Card>
            <ol>
              {schedule.next_runs.map((at) => (
                <li key={at}>
                  {inZone(at, schedule.timezone ?? 'UTC')} · <Time at={at} />
                </li>
              ))}
            </ol>
          </Card>
        )}
      </Section>
      {isOpen && (
        <Suspense>
          <ScheduledMessagePart schedule={schedule} />
        </Suspense>
      )}
      <Section title="Data" about="What the placeholders of the template read.">
        <Card>
          <Values label="Values" of={schedule.data} />
        </Card>
      </Section>
      <Runs runs={schedule.runs} />
    </>
  );
};

/** One schedule: its next runs, its data and its last runs. */
export const ScheduleScreen = ({ id }: { id: string }) => {
  const read = useRead(api.getSchedule, { params: { id } }, { everyMs: 5_000 });
  const { isLoading } = useTemplates();
  return (
    <Answer isPage read={withNames(read, isLoading)}>
      {(schedule) => <Details schedule={schedule} />}
    </Answer>
  );
};
