import type { Dashboard } from './dashboard.ts';

const quantile = (share: number, histogram: string, by: string): string =>
  `histogram_quantile(${share}, sum by (${[by, 'le'].filter(Boolean).join(', ')}) (rate(${histogram}_bucket[5m])))`;

/** What is posted to the chat platform and sent to destinations. */
export const deliveries: Dashboard = {
  uid: 'deliveries',
  title: 'deliveries',
  description: 'What is posted to the chat platform and sent to destinations.',
  rows: {
    'The chat platform': [
      {
        title: 'Calls',
        description: 'By how they ended; ambiguous ones may have been done.',
        unit: 'ops',
        lines: { '{{outcome}}': 'sum by (outcome) (rate(stanza_chat_calls_total[5m]))' },
      },
      {
        title: 'Time of calls',
        description: 'The 99th percentile by method.',
        unit: 's',
        lines: { '{{method}}': quantile(0.99, 'stanza_chat_call_seconds', 'method') },
      },
      {
        title: 'Messages that were not sent',
        description: 'Failed and unknown ones, and whose doing it was.',
        unit: 'ops',
        lines: {
          '{{status}} ({{cause}})':
            'sum by (status, cause) (rate(stanza_messages_total{status=~"failed|unknown"}[5m]))',
        },
      },
      {
        title: 'Oldest waiting message',
        description: 'Of batches and schedules.',
        unit: 's',
        redFrom: 900,
        lines: { age: 'max(stanza_deferred_oldest_seconds)' },
      },
      {
        title: 'Schedules',
        description: 'Due times by what was done about them.',
        unit: 'ops',
        lines: { '{{result}}': 'sum by (result) (rate(stanza_scheduled_runs_total[5m]))' },
      },
      {
        title: 'Interactions',
        description: 'Clicks and submissions that came in; unknown ones concern no message of ours.',
        unit: 'ops',
        lines: { '{{kind}} known {{known}}': 'sum by (kind, known) (rate(stanza_interactions_total[5m]))' },
      },
      {
        title: 'Held back from streams',
        description:
          'How far streams of messages are behind; a long transaction that writes messages holds them back.',
        unit: 's',
        lines: { 'held back': 'max(stanza_message_changes_held_back_seconds)' },
      },
    ],
    Destinations: [
      {
        title: 'Attempts',
        description: 'By outcome; lost ones may have arrived.',
        unit: 'ops',
        lines: { '{{outcome}}': 'sum by (outcome) (rate(stanza_delivery_attempts_total[5m]))' },
      },
      {
        title: 'Time of attempts',
        description: 'Median and 99th percentile.',
        unit: 's',
        lines: {
          p50: quantile(0.5, 'stanza_delivery_attempt_seconds', ''),
          p99: quantile(0.99, 'stanza_delivery_attempt_seconds', ''),
        },
      },
      {
        title: 'Deliveries that ended',
        description: 'By what became of them after all their attempts.',
        unit: 'ops',
        lines: { '{{status}}': 'sum by (status) (rate(stanza_deliveries_total[5m]))' },
      },
      {
        title: 'Deliveries that wait',
        description: 'For their first attempt or the next.',
        unit: 'short',
        lines: { waiting: 'max(stanza_deliveries_waiting)' },
      },
      {
        title: 'Oldest waiting delivery',
        description: 'A destination that is down is tried for hours.',
        unit: 's',
        lines: { age: 'max(stanza_deliveries_oldest_seconds)' },
      },
      {
        title: 'Addresses refused',
        description: 'Addresses inside our own network that destinations were given or turned out to have.',
        unit: 'ops',
        lines: { '{{at}}': 'sum by (at) (rate(stanza_destination_addresses_refused_total[5m]))' },
      },
    ],
  },
};
