import type { Batch, Queue } from '@stanza/contracts';
import { lazy, Suspense, useState } from 'react';
import { api } from '../../api/operations.ts';
import { useRead } from '../../api/use-api.ts';
import { useMay } from '../../shell/allowed.tsx';
import { Button } from '../../ui/button.tsx';
import { digestOf } from './digest-data.ts';
import styles from './queues.module.css';

const SendDialog = lazy(async () => ({
  default: (await import('../../editor/send/send-dialog.tsx')).SendDialog,
}));

/** The events that one request reads. A message that is sent by hand is looked through first, which more of them do not allow. */
const maxEvents = 100;

/**
 * Sends the digest of a failed batch to another channel or person, as a message of its own: a retry goes where it was to
 * go. What is entered stays when the batch is retried elsewhere.
 */
export const SendElsewhere = ({ queue, batch }: { queue: Queue; batch: Batch }) => {
  const [isOpen, open] = useState(false);
  const maySend = useMay('messages:create');
  const mayRead = useMay('queues:write');
  const isSmall = batch.event_count <= maxEvents;
  const isOffered = isOpen || batch.status === 'failed';
  const enabled = maySend && mayRead && queue.template_id !== null && isSmall && isOffered;
  const template = useRead(api.getTemplate, { params: { id: queue.template_id ?? '' } }, { enabled }).data;
  const params = { id: queue.id, batch_id: batch.id };
  const content = useRead(api.getBatch, { params, query: { limit: maxEvents } }, { enabled }).data;
  if (!enabled || !template?.current_version || !content) return null;
  const data = digestOf(
    queue,
    content.events.map(({ event }) => event),
    batch,
  );
  return (
    <>
      <p className={styles.elsewhere}>
        Its digest can go to another channel or person, as a message of its own; the batch stays failed.{' '}
        <Button look="link" onClick={() => open(true)}>
          Send elsewhere…
        </Button>
      </p>
      {isOpen && (
        <Suspense>
          <SendDialog
            template={template}
            with={{ data, locale: '', timezone: '' }}
            onClose={() => open(false)}
          />
        </Suspense>
      )}
    </>
  );
};
