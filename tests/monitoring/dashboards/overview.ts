import { objectives } from '../objectives.ts';
import type { Dashboard, Panel } from './dashboard.ts';

const windows = ['5m', '1h', '1d'] as const;

const objectivePanels: readonly Panel[] = objectives.map(({ name, alert, summary, budget }) => ({
  title: alert,
  description: `${summary}: the share of late. ${budget * 100}% are allowed over 30 days.`,
  unit: 'percentunit',
  redFrom: budget,
  lines: Object.fromEntries(windows.map((window) => [window, `stanza:${name}:error_ratio_${window}`])),
}));

/** Whether all is well, on one page. */
export const overview: Dashboard = {
  uid: 'overview',
  title: 'overview',
  description: 'Whether all is well: objectives, traffic, and what waits for an operator.',
  rows: {
    'What needs somebody': [
      {
        title: 'Processes that answer',
        description: 'Fewer than usual means that some are down.',
        unit: 'short',
        isNumber: true,
        lines: { up: 'sum(up{job=~"gateway|template|compile|delivery|queue-ingest|organization"})' },
      },
      {
        title: 'Unknown messages in an hour',
        description: 'Posts whose answer never came. See the runbook of UnknownOutcomes.',
        unit: 'short',
        isNumber: true,
        redFrom: 1,
        lines: { unknown: 'sum(increase(stanza_messages_total{status="unknown"}[1h]))' },
      },
      {
        title: 'Blocked keys',
        description: 'Requests with an Idempotency-Key that were left without an answer.',
        unit: 'short',
        isNumber: true,
        redFrom: 1,
        lines: { blocked: 'max(stanza_idempotency_blocked)' },
      },
      {
        title: 'Dead letters',
        description: 'Failed jobs that wait for an operator.',
        unit: 'short',
        isNumber: true,
        redFrom: 1,
        lines: { 'dead letters': 'sum(max by (service, job) (stanza_jobs_failed))' },
      },
      {
        title: 'Oldest outbox row',
        description: 'The age of the oldest job that its receiver has not answered.',
        unit: 's',
        isNumber: true,
        redFrom: 300,
        lines: { age: 'max(stanza_jobs_oldest_seconds)' },
      },
      {
        title: 'Maintenance',
        description: '1 while the API is closed.',
        unit: 'short',
        isNumber: true,
        redFrom: 1,
        lines: { maintenance: 'max(stanza_maintenance)' },
      },
    ],
    Objectives: objectivePanels,
    Traffic: [
      {
        title: 'Requests by status',
        description: 'What gateways answer; aborted ones had lost their client.',
        unit: 'reqps',
        lines: { '{{status}}': 'sum by (status) (rate(stanza_http_requests_total[5m]))' },
      },
      {
        title: 'Busiest operations',
        description: 'The ten operations that are called most.',
        unit: 'reqps',
        lines: { '{{operation}}': 'topk(10, sum by (operation) (rate(stanza_http_requests_total[5m])))' },
      },
      {
        title: 'Slowest operations',
        description: 'The 99th percentile of the ten slowest operations.',
        unit: 's',
        lines: {
          '{{operation}}':
            'topk(10, histogram_quantile(0.99, sum by (operation, le) (rate(stanza_http_request_duration_seconds_bucket[5m]))))',
        },
      },
      {
        title: 'Refused at the door',
        description: 'Requests over a rate, and those for which a gateway had no place.',
        unit: 'reqps',
        lines: {
          'rate {{rate}}': 'sum by (rate) (rate(stanza_rate_requests_total{outcome="refused"}[5m]))',
          'slot: {{reason}}': 'sum by (reason) (rate(stanza_share_refused_total{service="gateway"}[5m]))',
        },
      },
      {
        title: 'Messages',
        description: 'Messages that came to their end, and whose doing it was when they were not sent.',
        unit: 'ops',
        lines: { '{{status}} ({{cause}})': 'sum by (status, cause) (rate(stanza_messages_total[5m]))' },
      },
      {
        title: 'Requests with an Idempotency-Key',
        description: 'Claimed ones run; replayed ones were answered from memory.',
        unit: 'reqps',
        lines: { '{{outcome}}': 'sum by (outcome) (rate(stanza_idempotency_claims_total[5m]))' },
      },
      {
        title: 'Ended keys',
        description: 'Settled and released ones lost their answer; blocked ones wait for an operator.',
        unit: 'reqps',
        lines: { '{{outcome}}': 'sum by (outcome) (rate(stanza_idempotency_ends_total[5m]))' },
      },
    ],
  },
};
