import { errorCodes } from '../error-codes.ts';
import { batchStatuses, closeReasons } from '../resources/queue.ts';
import { counter, gauge, histogram } from './declare.ts';

const services = ['queue-ingest'] as const;
const undelivered = batchStatuses.filter((status) => status !== 'delivered');

/** Metrics of the queue-ingest service: events and batches. */
export const queueMetrics = {
  eventsAccepted: counter({
    name: 'stanza_events_accepted_total',
    help: 'Events accepted by pushes',
    labels: {},
    services,
  }),
  batchesClosed: counter({
    name: 'stanza_batches_closed_total',
    help: 'Batches closed, by reason',
    labels: { reason: closeReasons },
    services,
  }),
  closingLag: histogram({
    name: 'stanza_batch_closing_lag_seconds',
    help: 'Delay from the end of a batch until it was closed',
    labels: {},
    services,
  }),
  batchesShown: counter({
    name: 'stanza_batches_shown_total',
    help: 'Posts and updates of live digests before their batch closed, by outcome',
    labels: { status: ['delivered', 'failed', 'unknown'] },
    services,
  }),
  batchesEnded: counter({
    name: 'stanza_batches_ended_total',
    help: 'Ended batches by outcome; the code is the reason of a failure',
    labels: { status: ['delivered', 'failed', 'unknown'], code: ['none', ...errorCodes] },
    services,
  }),
  batches: gauge({
    name: 'stanza_batches',
    help: 'Batches that are not delivered, by status, each counted up to 10,000',
    labels: { status: undelivered },
    services,
  }),
  batchOldest: gauge({
    name: 'stanza_batch_oldest_seconds',
    help: 'Age of the oldest batch that is not delivered, by status',
    unit: 'seconds',
    labels: { status: undelivered },
    services,
  }),
  batchOverdue: gauge({
    name: 'stanza_batch_overdue_seconds',
    help: 'Delay of the most overdue collecting batch',
    unit: 'seconds',
    labels: {},
    services,
  }),
  partitionMissing: gauge({
    name: 'stanza_event_partition_missing',
    help: '1 when events are in the default partition because their day had none of its own',
    unit: 'state',
    labels: {},
    services,
  }),
  partitionDaysAhead: gauge({
    name: 'stanza_event_partition_days_ahead',
    help: 'Consecutive coming days with a partition for their events',
    labels: {},
    services,
  }),
} as const;
