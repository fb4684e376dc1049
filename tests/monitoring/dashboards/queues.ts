import type { Dashboard } from './dashboard.ts';

/** From events to digests. */
export const queues: Dashboard = {
  uid: 'queues',
  title: 'queues',
  description: 'From events to digests: what comes in, what is closed, what is delivered.',
  rows: {
    Events: [
      {
        title: 'Events taken',
        description: 'Events that pushes brought.',
        unit: 'ops',
        lines: { events: 'sum(rate(stanza_events_accepted_total[5m]))' },
      },
      {
        title: 'Pushes in one transaction',
        description: 'How many pushes were committed together, on average.',
        unit: 'short',
        lines: {
          pushes:
            'sum(rate(stanza_batch_items_sum{batch="push-events"}[5m])) / sum(rate(stanza_batch_items_count{batch="push-events"}[5m]))',
        },
      },
      {
        title: 'Partitions ahead',
        description: 'Coming days with a partition of their own; below three the alert comes.',
        unit: 'short',
        lines: {
          days: 'min(stanza_event_partition_days_ahead)',
          missing: 'max(stanza_event_partition_missing)',
        },
      },
    ],
    Batches: [
      {
        title: 'Batches closed',
        description: 'By why they were closed.',
        unit: 'ops',
        lines: { '{{reason}}': 'sum by (reason) (rate(stanza_batches_closed_total[5m]))' },
      },
      {
        title: 'Lag of closing',
        description:
          'From the end of a batch until it was closed; 99.9 % within five seconds is the objective.',
        unit: 's',
        redFrom: 5,
        lines: {
          p50: 'histogram_quantile(0.5, sum by (le) (rate(stanza_batch_closing_lag_seconds_bucket[5m])))',
          p99: 'histogram_quantile(0.99, sum by (le) (rate(stanza_batch_closing_lag_seconds_bucket[5m])))',
          overdue: 'max(stanza_batch_overdue_seconds)',
        },
      },
      {
        title: 'Batches that ended',
        description: 'By what came of them, with the code of failures.',
        unit: 'ops',
        lines: { '{{status}} {{code}}': 'sum by (status, code) (rate(stanza_batches_ended_total[5m]))' },
      },
      {
        title: 'Live digests shown',
        description: 'Posts and updates of live digests before their batches closed, by outcome.',
        unit: 'ops',
        lines: { '{{status}}': 'sum by (status) (rate(stanza_batches_shown_total[5m]))' },
      },
      {
        title: 'Batches not delivered',
        description: 'Collecting and ready ones are on their way; failed and unknown ones wait for somebody.',
        unit: 'short',
        lines: { '{{status}}': 'max by (status) (stanza_batches)' },
      },
      {
        title: 'Oldest batch not delivered',
        description: 'Its age by status.',
        unit: 's',
        lines: { '{{status}}': 'max by (status) (stanza_batch_oldest_seconds)' },
      },
      {
        title: 'Digests and schedules that wait',
        description: 'Messages for which no caller waits and that are still to be sent.',
        unit: 'short',
        lines: { waiting: 'max(stanza_deferred_messages)' },
      },
    ],
  },
};
