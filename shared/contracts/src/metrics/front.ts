import { counter } from './declare.ts';

/** Metrics of the front, where one stands before several gateways. */
export const frontMetrics = {
  unanswered: counter({
    name: 'stanza_front_unanswered_total',
    help: 'Requests that the front answered with 503 itself, and connections above its limit, which it closed',
    labels: { why: ['no_gateway', 'broken', 'full'] },
    services: ['front'],
  }),
} as const;
