import type { Batch, getBatch, Queue, ReplyOf } from '@stanza/contracts';
import { useState } from 'react';
import { api } from '../../api/operations.ts';
import { useChange, useRead } from '../../api/use-api.ts';
import { Allowed, useMay } from '../../shell/allowed.tsx';
import { ScreenLink } from '../../shell/screen-link.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog, FormEnd } from '../../ui/dialog.tsx';
import { Facts } from '../../ui/facts.tsx';
import { CheckField } from '../../ui/field.tsx';
import { Form, Problem } from '../../ui/form.tsx';
import { Answer } from '../../ui/listing.tsx';
import { reasonOf } from '../../ui/reasons.ts';
import { Why } from '../../ui/sentence.tsx';
import { Time } from '../../ui/time.tsx';
import { Values } from '../../ui/values.tsx';
import { counted } from '../../ui/words.ts';
import { BatchState } from './batch-state.tsx';
import { closingOf } from './closing-of.ts';
import { SendElsewhere } from './send-elsewhere.tsx';

const Retry = ({ queue, batch }: { queue: Queue; batch: Batch }) => {
  const [hasLooked, setLooked] = useState(false);
  const [takesCurrent, takeCurrent] = useState(false);
  const retrying = useChange(api.retryBatch);
  const isUnknown = batch.status === 'unknown';
  return (
    <Form
      onSubmit={() =>
        retrying.mutate({
          params: { id: queue.id, batch_id: batch.id },
          body: {
            confirm_not_posted: hasLooked,
            use_current_template: takesCurrent,
            attempt: batch.attempt,
          },
        })
      }
    >
      {isUnknown && (
        <CheckField
          required
          checked={hasLooked}
          onChange={({ target }) => setLooked(target.checked)}
          label="I have looked: the digest was not posted"
          hint="A retry is a new message. If the digest is there, there would be two."
        />
      )}
      <CheckField
        checked={takesCurrent}
        onChange={({ target }) => takeCurrent(target.checked)}
        label="Use the template that the queue names now"
      />
      <p>A retry goes where this batch was to go: mend first what kept it from there.</p>
      <FormEnd error={<Problem error={retrying.error} />}>
        <Button type="submit" look="primary" busy={retrying.isPending}>
          Retry
        </Button>
      </FormEnd>
    </Form>
  );
};

/** What the digest left out: places and reasons, never data. */
const LeftOut = ({ count, entries }: NonNullable<Batch['left_out']>) => (
  <>
    <p>
      {count === 1
        ? 'An entry that its events did not fit.'
        : `${count} entries that its events did not fit.`}
    </p>
    <ul>
      {entries.map(({ message }) => (
        <li key={message}>{message}</li>
      ))}
    </ul>
  </>
);

type BatchWithEvents = ReplyOf<typeof getBatch>;

const Events = ({ events, pagination: { total } }: BatchWithEvents) =>
  useMay('queues:write') ? (
    <>
      <h3>Events</h3>
      {total > events.length && (
        <p>
          The first {events.length} of {total.toLocaleString('en')}.
        </p>
      )}
      <Values label="Events" of={events.map(({ event }) => event)} />
    </>
  ) : (
    <p>
      {counted(total, 'event')}. It takes the scope <code>queues:write</code> to read them.
    </p>
  );

const Details = ({ queue, batch }: { queue: Queue; batch: BatchWithEvents }) => (
  <>
    <Form onSubmit={() => undefined}>
      <Facts
        of={[
          ['State', <BatchState key="state" status={batch.status} />],
          ['Closed because', closingOf(batch)],
          ['Opened', <Time key="opened" at={batch.opened_at} exact />],
          ['Ended', batch.ended_at && <Time key="ended" at={batch.ended_at} exact />],
          ['Tries', batch.attempt],
          ['Error', batch.error && reasonOf(batch.error)],
          ['Why', batch.error_details && <Why key="why" details={batch.error_details} />],
          ['Left out', batch.left_out && <LeftOut key="left-out" {...batch.left_out} />],
          [
            'Message',
            batch.message_id && (
              <ScreenLink key="message" screen="messages" item={batch.message_id}>
                Open the message
              </ScreenLink>
            ),
          ],
        ]}
      />
      <Events {...batch} />
    </Form>
    <SendElsewhere queue={queue} batch={batch} />
    {(batch.status === 'failed' || batch.status === 'unknown') && (
      <Allowed scope="queues:write" to="to retry this batch">
        <Retry queue={queue} batch={batch} />
      </Allowed>
    )}
  </>
);

/** One batch: how it stands, its events, and a retry where it failed. It stays while newer ones move it down its list. */
export const BatchDialog = ({ queue, id, onClose }: { queue: Queue; id: string; onClose: () => void }) => {
  const input = { params: { id: queue.id, batch_id: id }, query: { limit: 100 } };
  return (
    <Dialog title="Batch" onClose={onClose}>
      <Answer read={useRead(api.getBatch, input, { everyMs: 3_000 })}>
        {(batch) => <Details queue={queue} batch={batch} />}
      </Answer>
    </Dialog>
  );
};
