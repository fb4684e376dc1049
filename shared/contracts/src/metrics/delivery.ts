import { chatMethods } from '../chat-methods.ts';
import { publicEventTypes } from '../public-events/catalogue.ts';
import { counter, gauge, histogram } from './declare.ts';

const services = ['delivery'] as const;

/** Metrics of the delivery service: messages, calls to the chat platform, destinations and interactions. */
export const deliveryMetrics = {
  messages: counter({
    name: 'stanza_messages_total',
    help: 'Completed messages; the label cause is caller (the request, its credits, the channel) or service (Stanza, or the platform)',
    labels: { status: ['sent', 'failed', 'unknown'], cause: ['none', 'caller', 'service'] },
    services,
  }),
  revisions: counter({
    name: 'stanza_message_revisions_total',
    help: 'Completed changes of sent messages, by kind; unchanged: the channel already showed the content',
    labels: {
      kind: ['update', 'interaction', 'delete'],
      status: ['sent', 'unchanged', 'failed', 'unknown'],
    },
    services,
  }),
  chatCalls: counter({
    name: 'stanza_chat_calls_total',
    help: 'Calls to the chat platform by method and outcome; ambiguous ones may have taken effect',
    labels: { method: chatMethods, outcome: ['ok', 'refused', 'rate_limited', 'not_sent', 'ambiguous'] },
    services,
  }),
  chatSeconds: histogram({
    name: 'stanza_chat_call_seconds',
    help: 'Duration of calls to the chat platform',
    labels: { method: chatMethods },
    services,
  }),
  deferred: gauge({
    name: 'stanza_deferred_messages',
    help: 'Messages of batches and schedules that wait to be sent, counted up to 10,000',
    labels: {},
    services,
  }),
  deferredOldest: gauge({
    name: 'stanza_deferred_oldest_seconds',
    help: 'Age of the oldest message of a batch or schedule that waits to be sent',
    unit: 'seconds',
    labels: {},
    services,
  }),
  messageChangesHeldBack: gauge({
    name: 'stanza_message_changes_held_back_seconds',
    help: 'Seconds for which streams have held back message changes because of an open write transaction; normally near 0',
    unit: 'seconds',
    labels: {},
    services,
  }),
  scheduledRuns: counter({
    name: 'stanza_scheduled_runs_total',
    help: 'Due times of scheduled messages, by result: message started, missed, or unreadable',
    labels: { result: ['begun', 'skipped', 'unreadable'] },
    services,
  }),
  interactions: counter({
    name: 'stanza_interactions_total',
    help: 'Received interactions by kind, and whether they concern Stanza',
    labels: { kind: ['block_actions', 'view_submission'], known: ['true', 'false'] },
    services,
  }),
  addressesRefused: counter({
    name: 'stanza_destination_addresses_refused_total',
    help: 'Rejected destination addresses, when saved or at a connection',
    labels: { at: ['save', 'connect'] },
    services,
  }),
  deliveryAttempts: counter({
    name: 'stanza_delivery_attempts_total',
    help: 'Delivery attempts to destinations, by outcome',
    labels: { outcome: ['delivered', 'refused', 'not_sent', 'lost'] },
    services,
  }),
  deliveryAttemptSeconds: histogram({
    name: 'stanza_delivery_attempt_seconds',
    help: 'Duration of delivery attempts to destinations',
    labels: {},
    services,
  }),
  deliveries: counter({
    name: 'stanza_deliveries_total',
    help: 'Completed deliveries to destinations, by outcome',
    labels: { status: ['delivered', 'failed', 'unknown'] },
    services,
  }),
  events: counter({
    name: 'stanza_events_total',
    help: 'Events recorded for at least one subscription, by type',
    labels: { type: publicEventTypes },
    services,
  }),
  eventDeliveries: counter({
    name: 'stanza_event_deliveries_total',
    help: 'Completed deliveries of events, by outcome; also counted as deliveries to destinations',
    labels: { status: ['delivered', 'failed', 'unknown'] },
    services,
  }),
  deliveriesWaiting: gauge({
    name: 'stanza_deliveries_waiting',
    help: 'Pending deliveries to destinations, counted up to 10,000',
    labels: {},
    services,
  }),
  deliveriesOldest: gauge({
    name: 'stanza_deliveries_oldest_seconds',
    help: 'Age of the oldest pending delivery to a destination',
    unit: 'seconds',
    labels: {},
    services,
  }),
} as const;
