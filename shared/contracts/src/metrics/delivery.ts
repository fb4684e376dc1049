import { chatMethods } from '../chat-methods.ts';
import { counter, gauge, histogram } from './declare.ts';

const services = ['delivery'] as const;

/** What the delivery service tells of messages, calls to the chat platform, destinations and interactions. */
export const deliveryMetrics = {
  messages: counter({
    name: 'stanza_messages_total',
    help: 'Messages that came to their end; cause tells who could have done better: caller (the request, its credits, the channel) or service (it, or the platform)',
    labels: { status: ['sent', 'failed', 'unknown'], cause: ['none', 'caller', 'service'] },
    services,
  }),
  chatCalls: counter({
    name: 'stanza_chat_calls_total',
    help: 'Calls to the chat platform by method and how they ended; ambiguous ones may have been done',
    labels: { method: chatMethods, outcome: ['ok', 'refused', 'rate_limited', 'not_sent', 'ambiguous'] },
    services,
  }),
  chatSeconds: histogram({
    name: 'stanza_chat_call_seconds',
    help: 'Time that calls to the chat platform took',
    labels: { method: chatMethods },
    services,
  }),
  deferred: gauge({
    name: 'stanza_deferred_messages',
    help: 'Messages of batches and schedules that are still to be sent',
    labels: {},
    services,
  }),
  deferredOldest: gauge({
    name: 'stanza_deferred_oldest_seconds',
    help: 'Age of the oldest message of a batch or schedule that is still to be sent',
    unit: 'seconds',
    labels: {},
    services,
  }),
  scheduledRuns: counter({
    name: 'stanza_scheduled_runs_total',
    help: 'Due times of scheduled messages, by what was done: a message begun, missed, or unreadable',
    labels: { result: ['begun', 'skipped', 'unreadable'] },
    services,
  }),
  interactions: counter({
    name: 'stanza_interactions_total',
    help: 'Interactions that came in by their kind, and whether they concern this service',
    labels: { kind: ['block_actions', 'view_submission'], known: ['true', 'false'] },
    services,
  }),
  addressesRefused: counter({
    name: 'stanza_destination_addresses_refused_total',
    help: 'Addresses of destinations that were refused, when they were saved or at a connection',
    labels: { at: ['save', 'connect'] },
    services,
  }),
  deliveryAttempts: counter({
    name: 'stanza_delivery_attempts_total',
    help: 'Attempts to deliver to destinations and how they ended',
    labels: { outcome: ['delivered', 'refused', 'not_sent', 'lost'] },
    services,
  }),
  deliveryAttemptSeconds: histogram({
    name: 'stanza_delivery_attempt_seconds',
    help: 'Time that attempts to deliver to destinations took',
    labels: {},
    services,
  }),
  deliveries: counter({
    name: 'stanza_deliveries_total',
    help: 'Deliveries to destinations by what became of them',
    labels: { status: ['delivered', 'failed', 'unknown'] },
    services,
  }),
  deliveriesWaiting: gauge({
    name: 'stanza_deliveries_waiting',
    help: 'Deliveries to destinations that have not come to their end',
    labels: {},
    services,
  }),
  deliveriesOldest: gauge({
    name: 'stanza_deliveries_oldest_seconds',
    help: 'Age of the oldest delivery to a destination that has not come to its end',
    unit: 'seconds',
    labels: {},
    services,
  }),
} as const;
