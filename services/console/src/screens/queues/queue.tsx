import type { Batch, Queue } from '@stanza/contracts';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { api } from '../../api/operations.ts';
import { useActing } from '../../api/session-context.ts';
import { useChange, useRead } from '../../api/use-api.ts';
import { Allowed } from '../../shell/allowed.tsx';
import { useChatNames } from '../../shell/chat-names.ts';
import { ScreenLink } from '../../shell/screen-link.tsx';
import { targetIds } from '../../shell/target-names.ts';
import { useFilters } from '../../shell/use-filters.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/confirm.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Problem } from '../../ui/form.tsx';
import { Answer, Listing, withNames } from '../../ui/listing.tsx';
import { Card, PageHead, Section } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { useTemplates } from '../template-names.ts';
import { BatchDialog } from './batch.tsx';
import { BatchState } from './batch-state.tsx';
import { closingOf } from './closing-of.ts';
import { QueueForm } from './queue-form.tsx';
import { liveRuleOf, QueueState, queueTarget, ruleOf } from './queues.tsx';

const PushEvents = lazy(async () => ({ default: (await import('./push-events.tsx')).PushEvents }));

const Actions = ({ queue }: { queue: Queue }) => {
  const { place } = useActing();
  const navigate = useNavigate();
  const [isPushing, push] = useState(false);
  const [isEditing, edit] = useState(false);
  const params = { id: queue.id };
  const open = useRead(
    api.listBatches,
    { params, query: { status: 'collecting', limit: 1 } },
    { everyMs: 3_000 },
  );
  const flushing = useChange(api.flushQueue);
  const updating = useChange(api.updateQueue);
  const deleting = useChange(api.deleteQueue, () => {
    void navigate({
      to: '/$organization/$environment/$screen',
      params: { ...place, screen: 'queues' },
    });
  });
  return (
    <Allowed scope="queues:write" to="to change this queue">
      {Boolean(open.data?.data.length) && (
        <Button busy={flushing.isPending} onClick={() => flushing.mutate({ params })}>
          Send now
        </Button>
      )}
      <Button onClick={() => edit(true)}>Edit…</Button>
      <Button onClick={() => push(true)}>Push events</Button>
      <Button
        busy={updating.isPending}
        onClick={() => updating.mutate({ params, body: { is_active: !queue.is_active } })}
      >
        {queue.is_active ? 'Pause' : 'Resume'}
      </Button>
      <ConfirmButton
        label="Delete"
        title={`Delete ${queue.name}?`}
        act={() => deleting.mutateAsync({ params })}
        change={deleting}
      >
        Its batches go with it, also those that failed: they cannot be retried any more. It is refused while
        one is open or on its way: pause the queue and send it first.
      </ConfirmButton>
      <Problem error={flushing.error ?? updating.error} />
      {isEditing && <QueueForm queue={queue} onClose={() => edit(false)} />}
      {isPushing && (
        <Suspense>
          <PushEvents queue={queue} onClose={() => push(false)} />
        </Suspense>
      )}
    </Allowed>
  );
};

const Policy = ({ queue }: { queue: Queue }) => {
  const { nameOf } = useTemplates();
  const names = useChatNames(queue.destination_id === null, targetIds(queue));
  return (
    <Card>
      <Facts
        of={[
          ['State', <QueueState key="state" queue={queue} />],
          ['Sends', ruleOf(queue)],
          ['Live', liveRuleOf(queue)],
          ['To', queueTarget(queue, names)],
          [
            'Template',
            queue.template_id && (
              <ScreenLink key="template" screen="templates" item={queue.template_id}>
                {nameOf(queue.template_id)}
              </ScreenLink>
            ),
          ],
          ['Created', <Time key="created" at={queue.created_at} exact />],
        ]}
      />
    </Card>
  );
};

const Batches = ({ queue }: { queue: Queue }) => {
  const { value, offset, set } = useFilters();
  const read = useRead(api.listBatches, { params: { id: queue.id }, query: { offset } }, { everyMs: 3_000 });
  const shown = value('batch');
  return (
    <Section title="Batches" about="The open one first, as it stands now. Each says what closed it.">
      <Listing<Batch>
        label="Batches"
        read={read}
        rowKey={({ id }) => id}
        onOffset={(to) => set({ offset: to })}
        columns={[
          {
            title: 'Opened',
            cell: ({ id, opened_at }) => (
              <Button look="link" onClick={() => set({ batch: id, offset })}>
                <Time at={opened_at} exact />
              </Button>
            ),
          },
          { title: 'State', cell: ({ status }) => <BatchState status={status} /> },
          { title: 'Events', cell: ({ event_count }) => event_count, isNumber: true },
          { title: 'Closed because', cell: closingOf },
          {
            title: 'Closes or closed',
            cell: ({ closed_at, window_end }) => <Time at={closed_at ?? window_end} />,
          },
          { title: 'Tries', cell: ({ attempt }) => attempt, isNumber: true },
        ]}
        empty={<Empty title="No batch">The first event that is pushed opens one.</Empty>}
      />
      {shown !== '' && <BatchDialog queue={queue} id={shown} onClose={() => set({ batch: '', offset })} />}
    </Section>
  );
};

/** One queue: its policy, the open batch and those before. */
export const QueueScreen = ({ id }: { id: string }) => {
  const read = useRead(api.getQueue, { params: { id } });
  const { isLoading } = useTemplates();
  return (
    <Answer isPage read={withNames(read, isLoading)}>
      {(queue) => (
        <>
          <PageHead
            title={queue.name}
            above={<ScreenLink screen="queues">Queues</ScreenLink>}
            actions={<Actions queue={queue} />}
          >
            {queue.description}
          </PageHead>
          <Policy queue={queue} />
          <Batches queue={queue} />
        </>
      )}
    </Answer>
  );
};
