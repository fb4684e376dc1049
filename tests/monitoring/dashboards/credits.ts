import type { Dashboard } from './dashboard.ts';

/** What is charged, held and given back. */
export const credits: Dashboard = {
  uid: 'credits',
  title: 'credits',
  description: 'What is charged, held and given back.',
  rows: {
    Charges: [
      {
        title: 'Charges of compiles',
        description: 'By outcome: charged, or the code that refused them.',
        unit: 'ops',
        lines: { '{{outcome}}': 'sum by (outcome) (rate(stanza_charges_total[5m]))' },
      },
      {
        title: 'Charges taken back',
        description: 'Charges whose answers were not confirmed in time, in a quarter of an hour.',
        unit: 'short',
        redFrom: 10,
        lines: { reversed: 'sum(increase(stanza_charges_reversed_total[15m]))' },
      },
      {
        title: 'Charges in one call',
        description: 'How many charges went together, on average: a busy organization has one account row.',
        unit: 'short',
        lines: {
          '{{batch}}':
            'sum by (batch) (rate(stanza_batch_items_sum{batch=~"charges|charge-credits|reserve-credits"}[5m])) / sum by (batch) (rate(stanza_batch_items_count{batch=~"charges|charge-credits|reserve-credits"}[5m]))',
        },
      },
    ],
    Reservations: [
      {
        title: 'Open reservations',
        description: 'Sends whose messages have no outcome yet.',
        unit: 'short',
        lines: { open: 'max(stanza_reservations_open)' },
      },
      {
        title: 'Oldest open reservation',
        description: 'Its credits cannot be spent until delivery says what became of its messages.',
        unit: 's',
        redFrom: 600,
        lines: { age: 'max(stanza_reservations_oldest_seconds)' },
      },
      {
        title: 'Settlements',
        description: 'Calls of delivery that settle reservations, by outcome.',
        unit: 'ops',
        lines: { '{{outcome}}': 'sum by (outcome) (rate(stanza_jobs_total{job="settle-reservation"}[5m]))' },
      },
    ],
  },
};
