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
    help: 'Delay between the end of a batch and its closing',
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
    help: 'Completed batches by outcome; code is the reason for a failure',
    labels: { status: ['delivered', 'failed', 'unknown'], code: ['none', ...errorCodes] },
    services,
  }),
  batches: gauge({
    name: 'stanza_batches',
    help: 'Undelivered batches, by status, each counted up to 10,000',
    labels: { status: undelivered },
    services,
  }),
  batchOldest: gauge({
    name: 'stanza_batch_oldest_seconds',
    help: 'Age of the oldest undelivered batch, by status',
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
    help: '1 if events of today or a coming day are in the default partition because their day had none',
    unit: 'state',
    labels: {},
    services,
  }),
  partitionDaysAhead: gauge({
    name: 'stanza_event_partition_days_ahead',
    help: 'Consecutive future days that have an event partition',
    labels: {},
    services,
  }),
} as const;
