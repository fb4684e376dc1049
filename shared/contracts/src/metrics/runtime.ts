import { eventDeclarations as events } from '../events.ts';
import { jobOperations } from '../registry.ts';
import { serviceNames } from '../services.ts';
import { counter, gauge, histogram } from './declare.ts';
import { callOutcomes, operationIds, withDatabase } from './values.ts';

const services = serviceNames;
/** The kinds of rows of outboxes, and `other` for failed ones that this version does not know. */
const jobNames = [...jobOperations.map((it) => it.id), ...events.map((it) => it.name), 'other'];
const batch = { batch: { of: 'kind of coalesced call', most: 20 } } as const;
/** Services that merge small calls into batches and count them. */
const coalescing = ['organization', 'compile', 'delivery', 'queue-ingest'] as const;
/** Services with external calls behind breakers. */
const calling = ['delivery'] as const;
const operation = { operation: operationIds };
/** Coarser than by default: a process has these once for each operation and each statement. */
const callBuckets = [0.0025, 0.01, 0.025, 0.1, 0.25, 1, 5, 20];
/** A gateway calls every operation, and has a series for each of these bounds. */
const clientBuckets = [0.025, 0.1, 1];

/**
 * What is shared among organizations, or among clients without a key by their addresses: requests of a gateway, clicks,
 * returns of browsers from the chat platform and from the identity provider, sign-ins, looks at sessions, agents before
 * and after they are authenticated, lookups of credentials, calls of a service, calls that post, connections to
 * Postgres, connections for reports, deliveries to destinations, impacts, compiles that ask for much work, reads of
 * streams, jobs by their operation, closings of batches, messages of digests and schedules, lookups of messages, and
 * actions of clicks.
 */
export type ShareKind =
  | 'requests'
  | 'clicks'
  | 'returns'
  | 'sign_in_returns'
  | 'sign_ins'
  | 'console_sessions'
  | 'unknown_agents'
  | 'agents'
  | 'authentications'
  | 'calls'
  | 'posting_calls'
  | 'connections'
  | 'reports'
  | 'deliveries'
  | 'impacts'
  | 'long_runs'
  | 'stream_reads'
  | 'closings'
  | 'deferred_sends'
  | 'lookups'
  | 'interaction_actions'
  | `job_${string}`;

const share = { kind: { of: 'shared resources of the process', most: 13 } } as const;

/** Metrics of every process. */
export const runtimeMetrics = {
  unhandledRejections: counter({
    name: 'stanza_unhandled_rejections_total',
    help: 'Unhandled rejections; each is a bug',
    labels: {},
    services,
  }),
  logWriteFailures: counter({
    name: 'stanza_log_write_failures_total',
    help: 'Failed writes of log lines, as on a full disk or to a pipe that is not read; up to 1 MiB of lines waits, further ones are dropped',
    labels: {},
    services,
  }),
  natsConnected: gauge({
    name: 'stanza_nats_connected',
    help: '1 while connected to NATS; 0 from process start until then',
    unit: 'state',
    labels: {},
    services,
  }),
  natsDisconnects: counter({
    name: 'stanza_nats_disconnects_total',
    help: 'Lost connections to NATS: stale (the server stopped responding to pings) or closed',
    labels: { reason: ['stale', 'closed'] },
    services,
  }),
  clockDifference: gauge({
    name: 'stanza_clock_difference_seconds',
    help: 'Seconds by which the process clock is ahead of the database clock; beyond ±60 the process is not ready',
    unit: 'seconds',
    labels: {},
    services: withDatabase,
  }),
  backgroundRuns: counter({
    name: 'stanza_background_runs_total',
    help: 'Runs of background jobs',
    labels: { task: { of: 'background jobs of the service', most: 24 }, outcome: ['ok', 'failed'] },
    services,
  }),
  rpcInFlight: gauge({
    name: 'stanza_rpc_in_flight',
    help: 'Operations in flight',
    labels: {},
    services,
  }),
  rpcServerCalls: counter({
    name: 'stanza_rpc_server_calls_total',
    help: 'Finished operations, as seen by their server',
    labels: { ...operation, outcome: callOutcomes },
    services,
  }),
  rpcServerSeconds: histogram({
    name: 'stanza_rpc_server_seconds',
    help: 'Duration of operations, as seen by their server',
    labels: operation,
    buckets: callBuckets,
    services,
  }),
  rpcClientCalls: counter({
    name: 'stanza_rpc_client_calls_total',
    help: 'Finished operations, as seen by their client',
    labels: { ...operation, outcome: callOutcomes },
    services,
  }),
  rpcClientSeconds: histogram({
    name: 'stanza_rpc_client_seconds',
    help: 'Duration of operations, as seen by their client',
    labels: operation,
    buckets: clientBuckets,
    services,
  }),
  rpcLateReplies: counter({
    name: 'stanza_rpc_late_replies_total',
    help: 'Replies that arrived after their callers had timed out: slow calls, not lost ones',
    labels: {},
    services,
  }),
  shareSlots: gauge({
    name: 'stanza_share_slots',
    help: 'Slots of a shared resource in use: in total, and by the largest holder',
    labels: { ...share, of: ['held', 'largest'] },
    services,
  }),
  shareRefused: counter({
    name: 'stanza_share_refused_total',
    help: 'Refusals because all slots were taken, or because the organization (or address) had used its share',
    labels: { ...share, reason: ['full', 'share'] },
    services,
  }),
  shareWaited: counter({
    name: 'stanza_share_waited_total',
    help: 'Requests and jobs that waited for a slot',
    labels: share,
    services,
  }),
  eventsHeard: counter({
    name: 'stanza_events_heard_total',
    help: 'Events received from other services',
    labels: { event: events.map((it) => it.name), outcome: ['ok', 'failed'] },
    services,
  }),
  batchItems: histogram({
    name: 'stanza_batch_items',
    help: 'Items coalesced into calls',
    unit: 'count',
    labels: batch,
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
    services: coalescing,
  }),
  batchSeconds: histogram({
    name: 'stanza_batch_seconds',
    help: 'Duration of coalesced calls',
    labels: batch,
    services: coalescing,
  }),
  batchSplit: counter({
    name: 'stanza_batch_split_total',
    help: 'Failed coalesced calls that were repeated item by item',
    labels: batch,
    services: coalescing,
  }),
  breakers: gauge({
    name: 'stanza_breakers',
    help: 'Breakers by kind and state',
    labels: { breaker: ['chat', 'destination'], state: ['closed', 'open', 'half_open'] },
    services: calling,
  }),
  breakerEvents: counter({
    name: 'stanza_breaker_events_total',
    help: 'State changes of breakers; refused counts calls that an open breaker stopped',
    labels: { breaker: ['chat', 'destination'], event: ['closed', 'open', 'half_open', 'refused'] },
    services: calling,
  }),
  breakerOpenSeconds: gauge({
    name: 'stanza_breaker_open_seconds',
    help: 'Age of the oldest breaker that is not closed and was used in the last five minutes',
    unit: 'seconds',
    labels: { breaker: ['chat', 'destination'] },
    services: calling,
  }),
} as const;

/** Metrics of processes with a database: statements, and the outbox. */
export const databaseMetrics = {
  statementSeconds: histogram({
    name: 'stanza_database_statement_seconds',
    help: 'Duration of named statements, including the wait for a connection',
    labels: { statement: { of: 'named statements of the service', most: 180 } },
    buckets: callBuckets,
    services: withDatabase,
  }),
  unansweredSeconds: gauge({
    name: 'stanza_database_unanswered_seconds',
    help: 'Seconds since the last response of a database that accepts writes, probed at least every 15 seconds; +Inf from process start until the first',
    unit: 'seconds',
    labels: {},
    services: withDatabase,
  }),
  poolLimit: gauge({
    name: 'stanza_database_pool_limit',
    help: 'Maximum number of connections in the pool',
    labels: {},
    services: withDatabase,
  }),
  poolConnections: gauge({
    name: 'stanza_database_pool_connections',
    help: 'Connections of the pool by state; waiting counts statements without a connection',
    labels: { state: ['idle', 'busy', 'waiting'] },
    services: withDatabase,
  }),
  jobs: counter({
    name: 'stanza_jobs_total',
    help: 'Attempts at outbox rows: done, retried later, failed permanently',
    labels: { job: jobNames, outcome: ['done', 'retried', 'failed'] },
    services: withDatabase,
  }),
  jobsRunning: gauge({
    name: 'stanza_jobs_running',
    help: 'Outbox rows with a call in flight',
    labels: { job: jobNames },
    services: withDatabase,
  }),
  jobsDue: gauge({
    name: 'stanza_jobs_due',
    help: 'Due outbox rows, counted up to 10,000',
    labels: { job: jobNames },
    services: withDatabase,
  }),
  jobsOldestSeconds: gauge({
    name: 'stanza_jobs_oldest_seconds',
    help: 'Age of the oldest attempted outbox row, 0 without any',
    unit: 'seconds',
    labels: { job: jobNames },
    services: withDatabase,
  }),
  jobsFailed: gauge({
    name: 'stanza_jobs_failed',
    help: 'Failed jobs that wait for an operator, counted up to 10,000',
    labels: { job: jobNames },
    services: withDatabase,
  }),
} as const;
