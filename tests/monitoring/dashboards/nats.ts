import type { Dashboard } from './dashboard.ts';

/** NATS, as prometheus-nats-exporter sees it. */
export const nats: Dashboard = {
  uid: 'nats',
  title: 'NATS',
  description: 'The servers by prometheus-nats-exporter, and their connections as processes see them.',
  rows: {
    Servers: [
      {
        title: 'Connections',
        description: 'Clients of each server; after a failover they spread within ten minutes.',
        unit: 'short',
        lines: { '{{instance}}': 'max by (instance) (gnatsd_varz_connections)' },
      },
      {
        title: 'Routes',
        description: 'To other servers; each of three has some to both others.',
        unit: 'short',
        lines: { '{{instance}}': 'max by (instance) (gnatsd_varz_routes)' },
      },
      {
        title: 'Slow consumers',
        description:
          'Clients that were cut off because they took their messages too slowly, since the start.',
        unit: 'short',
        redFrom: 1,
        lines: { '{{instance}}': 'max by (instance) (gnatsd_varz_slow_consumers)' },
      },
      {
        title: 'Messages',
        description: 'What clients and routes brought and took.',
        unit: 'ops',
        lines: {
          '{{instance}} in': 'sum by (instance) (rate(gnatsd_varz_in_msgs[5m]))',
          '{{instance}} out': 'sum by (instance) (rate(gnatsd_varz_out_msgs[5m]))',
        },
      },
      {
        title: 'Memory',
        description: 'Resident memory; NATS stores nothing here, so it stays flat.',
        unit: 'bytes',
        lines: { '{{instance}}': 'max by (instance) (gnatsd_varz_mem)' },
      },
      {
        title: 'CPU',
        description: 'In hundredths of a core, as the server tells it.',
        unit: 'short',
        lines: { '{{instance}}': 'max by (instance) (gnatsd_varz_cpu)' },
      },
    ],
    'As processes see it': [
      {
        title: 'Connected',
        description: 'The least of a service: 0 when one of its processes is cut off.',
        unit: 'short',
        lines: { '{{service}}': 'min by (service) (stanza_nats_connected)' },
      },
      {
        title: 'Lost connections',
        description: 'In five minutes; stale: the server hung, closed: it ended or the network did.',
        unit: 'short',
        lines: {
          '{{service}} {{reason}}': 'sum by (service, reason) (increase(stanza_nats_disconnects_total[5m]))',
        },
      },
      {
        title: 'Late answers',
        description: 'Answers to callers that had given up: slow calls, and not lost ones.',
        unit: 'ops',
        lines: { '{{service}}': 'sum by (service) (rate(stanza_rpc_late_replies_total[5m]))' },
      },
    ],
  },
};
