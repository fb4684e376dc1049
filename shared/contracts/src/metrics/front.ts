import { counter } from './declare.ts';

/** Metrics of the front, where one stands before several gateways. */
export const frontMetrics = {
  unanswered: counter({
    name: 'stanza_front_unanswered_total',
    help: 'Requests that the front refused with 503, and connections that it closed above its limit',
    labels: { why: ['no_gateway', 'broken', 'full'] },
    services: ['front'],
  }),
} as const;
