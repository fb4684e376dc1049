import { messageDeclarations } from '../events.ts';
import { serviceNames } from '../services.ts';
import { counter, gauge, histogram } from './declare.ts';
import { callOutcomes, operationIds, withDatabase } from './values.ts';

const services = serviceNames;
const works = messageDeclarations.filter((it) => it.kind === 'work');
const events = messageDeclarations.filter((it) => it.kind === 'event');
const consuming = serviceNames.filter((service) => works.some((it) => it.consumer === service));
const batch = { batch: { of: 'what is gathered', most: 8 } } as const;
/** Services that call what lies outside, behind breakers. */
const calling = ['delivery'] as const;
const operation = { operation: operationIds };
/** Coarser than others: a process has these once for each operation and each statement. */
const callBuckets = [0.0025, 0.01, 0.025, 0.1, 0.25, 1, 5, 20];
/** A gateway calls every operation, and keeps a series of each of these bounds for it. */
const clientBuckets = callBuckets.slice(1);

/** What every process tells of itself. */
export const runtimeMetrics = {
  unhandledRejections: counter({
    name: 'stanza_unhandled_rejections_total',
    help: 'Rejections that nobody handled; each is a bug',
    labels: {},
    services,
  }),
  natsConnected: gauge({
    name: 'stanza_nats_connected',
    help: '1 while connected to NATS',
    unit: 'state',
    labels: {},
    services,
  }),
  backgroundRuns: counter({
    name: 'stanza_background_runs_total',
    help: 'Runs of background jobs',
    labels: { task: { of: 'background jobs of the service', most: 24 }, outcome: ['ok', 'failed'] },
    services,
  }),
  rpcInFlight: gauge({
    name: 'stanza_rpc_in_flight',
    help: 'Operations being worked on',
    labels: {},
    services,
  }),
  rpcServerCalls: counter({
    name: 'stanza_rpc_server_calls_total',
    help: 'Operations finished, as their server saw them',
    labels: { ...operation, outcome: callOutcomes },
    services,
  }),
  rpcServerSeconds: histogram({
    name: 'stanza_rpc_server_seconds',
    help: 'Time operations took, as their server saw it',
    labels: operation,
    buckets: callBuckets,
    services,
  }),
  rpcClientCalls: counter({
    name: 'stanza_rpc_client_calls_total',
    help: 'Operations finished, as their client saw them',
    labels: { ...operation, outcome: callOutcomes },
    services,
  }),
  rpcClientSeconds: histogram({
    name: 'stanza_rpc_client_seconds',
    help: 'Time operations took, as their client saw it',
    labels: operation,
    buckets: clientBuckets,
    services,
  }),
  eventsHeard: counter({
    name: 'stanza_events_heard_total',
    help: 'Events of other services that arrived',
    labels: { event: events.map((it) => it.name), outcome: ['ok', 'failed'] },
    services,
  }),
  batchItems: histogram({
    name: 'stanza_batch_items',
    help: 'Items of small calls that were gathered into one',
    unit: 'count',
    labels: batch,
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
    services,
  }),
  batchSeconds: histogram({
    name: 'stanza_batch_seconds',
    help: 'Time that gathered calls took',
    labels: batch,
    services,
  }),
  batchSplit: counter({
    name: 'stanza_batch_split_total',
    help: 'Gathered calls that failed and were made again item by item',
    labels: batch,
    services,
  }),
  breakers: gauge({
    name: 'stanza_breakers',
    help: 'Breakers by what they guard and their state',
    labels: { breaker: ['chat', 'destination'], state: ['closed', 'open', 'half_open'] },
    services: calling,
  }),
  breakerEvents: counter({
    name: 'stanza_breaker_events_total',
    help: 'What happened to breakers; refused counts the calls that an open one kept back',
    labels: { breaker: ['chat', 'destination'], event: ['closed', 'open', 'half_open', 'refused'] },
    services: calling,
  }),
  breakerOpenSeconds: gauge({
    name: 'stanza_breaker_open_seconds',
    help: 'How long the longest open breaker that was asked in the last five minutes has not been closed',
    unit: 'seconds',
    labels: { breaker: ['chat', 'destination'] },
    services: calling,
  }),
} as const;

/** What processes tell of their database, their outbox, and the work they are given. */
export const databaseMetrics = {
  statementSeconds: histogram({
    name: 'stanza_database_statement_seconds',
    help: 'Time that named statements took, the wait for a connection included',
    labels: { statement: { of: 'named statements of the service', most: 140 } },
    buckets: callBuckets,
    services: withDatabase,
  }),
  poolLimit: gauge({
    name: 'stanza_database_pool_limit',
    help: 'Connections that the pool may have',
    labels: {},
    services: withDatabase,
  }),
  poolConnections: gauge({
    name: 'stanza_database_pool_connections',
    help: 'Connections of the pool by state; waiting counts those who wait for one',
    labels: { state: ['idle', 'busy', 'waiting'] },
    services: withDatabase,
  }),
  outboxPublished: counter({
    name: 'stanza_outbox_published_total',
    help: 'Messages published from the outbox; again counts those that were published before',
    labels: { kind: ['event', 'work'], again: ['true', 'false'] },
    services: withDatabase,
  }),
  outboxRows: gauge({
    name: 'stanza_outbox_rows',
    help: 'Rows of the outbox, counted as far as 10,000',
    labels: {},
    services: withDatabase,
  }),
  outboxOldestSeconds: gauge({
    name: 'stanza_outbox_oldest_seconds',
    help: 'Age of the oldest row of the outbox',
    unit: 'seconds',
    labels: {},
    services: withDatabase,
  }),
  outboxLagSeconds: gauge({
    name: 'stanza_outbox_lag_seconds',
    help: 'How long the longest overdue row of the outbox has been due',
    unit: 'seconds',
    labels: {},
    services: withDatabase,
  }),
  deadLetters: gauge({
    name: 'stanza_dead_letters',
    help: 'Open dead letters, counted as far as 10,000',
    labels: {},
    services: withDatabase,
  }),
  work: counter({
    name: 'stanza_work_total',
    help: 'Deliveries of work: done, repeated (done before), later, dead',
    labels: { work: works.map((it) => it.name), outcome: ['done', 'repeated', 'later', 'dead'] },
    services: consuming,
  }),
  workSeconds: histogram({
    name: 'stanza_work_seconds',
    help: 'Time a delivery of work took',
    labels: { work: works.map((it) => it.name) },
    services: consuming,
  }),
  workPending: gauge({
    name: 'stanza_work_pending',
    help: 'Work in the stream that is not acknowledged',
    labels: { work: works.map((it) => it.name) },
    services: consuming,
  }),
} as const;
