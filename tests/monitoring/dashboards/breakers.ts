import type { Dashboard } from './dashboard.ts';

/** What lies outside and is left alone for a while. */
export const breakers: Dashboard = {
  uid: 'breakers',
  title: 'breakers',
  description: 'What lies outside and is left alone for a while because it failed too often.',
  rows: {
    Breakers: [
      {
        title: 'Not closed',
        description:
          'Breakers that are open or being probed: one for a workspace and kind of call, or a destination host.',
        unit: 'short',
        lines: { '{{breaker}} {{state}}': 'sum by (breaker, state) (stanza_breakers{state!="closed"})' },
      },
      {
        title: 'Longest open',
        description: 'How long the longest open one has not been closed though it is asked.',
        unit: 's',
        redFrom: 600,
        lines: { '{{breaker}}': 'max by (breaker) (stanza_breaker_open_seconds)' },
      },
      {
        title: 'What happens to them',
        description: 'Openings, probes and closings.',
        unit: 'ops',
        lines: {
          '{{breaker}} {{event}}':
            'sum by (breaker, event) (rate(stanza_breaker_events_total{event!="refused"}[5m]))',
        },
      },
      {
        title: 'Calls kept back',
        description: 'Calls that an open breaker refused: nothing was sent.',
        unit: 'ops',
        lines: { '{{breaker}}': 'sum by (breaker) (rate(stanza_breaker_events_total{event="refused"}[5m]))' },
      },
      {
        title: 'Calls that count against the platform',
        description: 'Not sent and ambiguous ones by method: what opens a breaker of chat.',
        unit: 'ops',
        lines: {
          '{{method}} {{outcome}}':
            'sum by (method, outcome) (rate(stanza_chat_calls_total{outcome=~"not_sent|ambiguous"}[5m]))',
        },
      },
      {
        title: 'Breakers kept',
        description: 'All of them; the least used are forgotten.',
        unit: 'short',
        lines: { '{{breaker}}': 'sum by (breaker) (stanza_breakers)' },
      },
    ],
  },
};
