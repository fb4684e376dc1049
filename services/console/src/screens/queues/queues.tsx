import type { Queue } from '@stanza/contracts';
import { useState } from 'react';
import { api } from '../../api/operations.ts';
import { useRead } from '../../api/use-api.ts';
import { Allowed, useMay } from '../../shell/allowed.tsx';
import { useChatNames } from '../../shell/chat-names.ts';
import { FilterSelect } from '../../shell/filter-fields.tsx';
import { ScreenLink } from '../../shell/screen-link.tsx';
import { type ChatNames, targetIds, targetName } from '../../shell/target-names.ts';
import { useFilters } from '../../shell/use-filters.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Listing } from '../../ui/listing.tsx';
import { PageHead, Toolbar } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { counted } from '../../ui/words.ts';
import { QueueForm } from './queue-form.tsx';
import { span } from './span.ts';

/** When a queue sends its digest, in a sentence. */
export const ruleOf = (queue: Queue): string =>
  queue.mode === 'rolling_window'
    ? `after ${span(queue.window_seconds ?? 0)} of silence${queue.max_window_seconds === null ? '' : `, or ${span(queue.max_window_seconds)} after the first event`}`
    : `at ${counted(queue.threshold ?? 0, 'event')}${queue.max_wait_seconds === null ? '' : `, or ${span(queue.max_wait_seconds)} after the first`}`;

/** How a queue shows its batches until they close. */
export const liveRuleOf = ({ live, live_interval_seconds }: Queue): string | null =>
  live ? `from the first event on, updated every ${span(live_interval_seconds ?? 0)} at most` : null;

/** Where a queue sends its digests. */
export const queueTarget = (queue: Queue, names: ChatNames): string =>
  queue.destination_id === null ? targetName(queue, names) : 'a destination';

/** Whether a queue takes events. */
export const QueueState = ({ queue: { is_active } }: { queue: Queue }) => (
  <Badge tone={is_active ? 'good' : 'quiet'}>{is_active ? 'takes events' : 'paused'}</Badge>
);

/** Queues, which gather events into digests. */
export const Queues = () => {
  const { given, isSet, offset, set } = useFilters();
  const [isMaking, make] = useState(false);
  const mayWrite = useMay('queues:write');
  const query = { offset, mode: given('mode'), is_active: given('on') };
  const read = useRead(api.listQueues, { query });
  const names = useChatNames(Boolean(read.data?.data.length), read.data?.data.flatMap(targetIds));
  const newQueue = (
    <Allowed scope="queues:write" to="to create a queue">
      <Button look="primary" onClick={() => make(true)}>
        New queue
      </Button>
    </Allowed>
  );
  return (
    <>
      <PageHead title="Queues" actions={newQueue}>
        A queue gathers events and sends them as one message, so that a channel gets a digest in place of a
        flood.
      </PageHead>
      <Toolbar label="Filter queues">
        <FilterSelect
          name="mode"
          label="Mode"
          options={[
            ['', 'Every mode'],
            ['rolling_window', 'After a silence'],
            ['fixed_volume', 'At a number of events'],
          ]}
        />
        <FilterSelect
          name="on"
          label="Takes events"
          options={[
            ['', 'Yes or no'],
            ['true', 'Yes'],
            ['false', 'No, paused'],
          ]}
        />
      </Toolbar>
      <Listing<Queue>
        label="Queues"
        read={read}
        rowKey={({ id }) => id}
        onOffset={(to) => set({ offset: to })}
        isFiltered={isSet('mode', 'on')}
        columns={[
          {
            title: 'Name',
            cell: ({ id, name }) => (
              <ScreenLink screen="queues" item={id}>
                {name}
              </ScreenLink>
            ),
          },
          { title: 'Sends', cell: ruleOf },
          { title: 'To', cell: (queue) => queueTarget(queue, names) },
          {
            title: 'State',
            cell: (queue) => <QueueState queue={queue} />,
          },
          { title: 'Changed', cell: ({ updated_at }) => <Time at={updated_at} /> },
        ]}
        empty={
          <Empty
            title="No queue"
            action={mayWrite && <Button onClick={() => make(true)}>Create the first queue</Button>}
          >
            Push events to a queue, and it makes one message of them by a template: after a while without
            events, or at a number of them.
          </Empty>
        }
      />
      {isMaking && <QueueForm onClose={() => make(false)} />}
    </>
  );
};
