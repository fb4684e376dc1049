import { createQueue, flushQueue, getBatch, pushEvents } from '@stanza/contracts';
import type { Api } from './api.ts';
import { waitFor } from './wait.ts';

/** A batch by the queue that it belongs to. */
export interface SentBatch {
  /** Id of the queue. */
  id: string;
  batch_id: string;
}

/** Gathers two events in a new queue for a destination, and sends them off. */
export const sendBatch = async (api: Api, destination_id: string): Promise<SentBatch> => {
  const policy = { name: 'Deploys', mode: 'rolling_window', window_seconds: 3_600, destination_id };
  const { id } = await api.ok(createQueue, { body: policy });
  const events = [{ service: 'api' }, { service: 'web' }];
  const { batch_id } = await api.ok(pushEvents, { params: { id }, body: { events } });
  await api.ok(flushQueue, { params: { id } });
  return { id, batch_id };
};

/** Waits until a batch has ended, and answers it. */
export const batchOutcome = (api: Api, { id, batch_id }: SentBatch, timeoutMs?: number) =>
  waitFor(
    'the outcome of the batch',
    async () => {
      const batch = await api.ok(getBatch, { params: { id, batch_id } });
      return batch.ended_at !== null && batch;
    },
    timeoutMs,
  );
