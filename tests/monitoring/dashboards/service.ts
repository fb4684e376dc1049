import type { Dashboard } from './dashboard.ts';

const of = 'service=~"$service"';

/** One service from inside. */
export const service: Dashboard = {
  uid: 'service',
  title: 'service',
  description: 'One service from inside: its operations, its database, its outbox and its processes.',
  choices: { service: 'stanza_nats_connected' },
  rows: {
    Operations: [
      {
        title: 'Calls served',
        description: 'Operations that the service answered, by outcome.',
        unit: 'ops',
        lines: { '{{outcome}}': `sum by (outcome) (rate(stanza_rpc_server_calls_total{${of}}[5m]))` },
      },
      {
        title: 'Time to serve',
        description: 'The 99th percentile of each operation; the ten slowest.',
        unit: 's',
        lines: {
          '{{operation}}': `topk(10, histogram_quantile(0.99, sum by (operation, le) (rate(stanza_rpc_server_seconds_bucket{${of}}[5m]))))`,
        },
      },
      {
        title: 'Under way',
        description: 'Operations being worked on; more than STANZA_RPC_CONCURRENCY are refused.',
        unit: 'short',
        lines: { '{{instance}}': `sum by (instance) (stanza_rpc_in_flight{${of}})` },
      },
      {
        title: 'Calls made that failed',
        description: 'What the service asked of others without success.',
        unit: 'ops',
        lines: {
          '{{operation}} {{outcome}}': `sum by (operation, outcome) (rate(stanza_rpc_client_calls_total{${of}, outcome!="ok"}[5m]))`,
        },
      },
      {
        title: 'Jobs of the outbox',
        description: 'Attempts by outcome; retried ones are repeated, failed ones wait for an operator.',
        unit: 'ops',
        lines: { '{{job}} {{outcome}}': `sum by (job, outcome) (rate(stanza_jobs_total{${of}}[5m]))` },
      },
      {
        title: 'Due jobs',
        description: 'Due rows of the outbox that no process has claimed, and those whose call is in flight.',
        unit: 'short',
        lines: {
          '{{job}} due': `max by (job) (stanza_jobs_due{${of}})`,
          '{{job}} running': `sum by (job) (stanza_jobs_running{${of}})`,
        },
      },
    ],
    'Database and outbox': [
      {
        title: 'Connections',
        description: 'Busy ones up to the limit; waiting counts those who wait for one.',
        unit: 'short',
        lines: {
          '{{state}}': `sum by (state) (stanza_database_pool_connections{${of}})`,
          limit: `sum(stanza_database_pool_limit{${of}})`,
        },
      },
      {
        title: 'Slowest statements',
        description: 'The 99th percentile by statement, the wait for a connection included.',
        unit: 's',
        lines: {
          '{{statement}}': `topk(10, histogram_quantile(0.99, sum by (statement, le) (rate(stanza_database_statement_seconds_bucket{${of}}[5m]))))`,
        },
      },
      {
        title: 'Age of the outbox',
        description: 'The oldest row that was tried and is not answered.',
        unit: 's',
        redFrom: 300,
        lines: { '{{service}} {{job}}': `max by (service, job) (stanza_jobs_oldest_seconds{${of}})` },
      },
      {
        title: 'Gathered calls',
        description: 'How many small calls one call carried, on average.',
        unit: 'short',
        lines: {
          '{{batch}}': `sum by (batch) (rate(stanza_batch_items_sum{${of}}[5m])) / sum by (batch) (rate(stanza_batch_items_count{${of}}[5m]))`,
        },
      },
      {
        title: 'Jobs that failed',
        description: 'Runs of background jobs that failed; the next run makes up for them.',
        unit: 'ops',
        lines: {
          '{{task}}': `sum by (task) (rate(stanza_background_runs_total{${of}, outcome="failed"}[5m]))`,
        },
      },
    ],
    Processes: [
      {
        title: 'CPU',
        description:
          'A process uses at most a little more than one core: its one thread, and collecting garbage. Compile has another one for long work.',
        unit: 'percentunit',
        lines: { '{{service}} {{instance}}': `rate(process_cpu_seconds_total{${of}}[5m])` },
      },
      {
        title: 'Memory',
        description: 'Resident memory; it should stay flat under steady load.',
        unit: 'bytes',
        lines: { '{{service}} {{instance}}': `process_resident_memory_bytes{${of}}` },
      },
      {
        title: 'Lag of the event loop',
        description: 'The 99th percentile; at rest 50 ms, above 0.2 s the process is short of CPU.',
        unit: 's',
        redFrom: 0.2,
        lines: { '{{service}} {{instance}}': `nodejs_eventloop_lag_p99_seconds{${of}}` },
      },
      {
        title: 'Garbage collection',
        description: 'Share of the time that it takes.',
        unit: 'percentunit',
        lines: { '{{kind}}': `sum by (kind) (rate(nodejs_gc_duration_seconds_sum{${of}}[5m]))` },
      },
      {
        title: 'Starts',
        description: 'How often processes started anew within a quarter of an hour.',
        unit: 'short',
        redFrom: 4,
        lines: { '{{service}} {{instance}}': `changes(process_start_time_seconds{${of}}[15m])` },
      },
      {
        title: 'Unhandled rejections',
        description: 'Failures that no code noticed, in a quarter of an hour; each is a bug.',
        unit: 'short',
        redFrom: 1,
        lines: {
          '{{service}}': `sum by (service) (increase(stanza_unhandled_rejections_total{${of}}[15m]))`,
        },
      },
      {
        title: 'Failed writes of log lines',
        description:
          'In a quarter of an hour, as on a full disk; lines wait in memory, and are then dropped.',
        unit: 'short',
        redFrom: 1,
        lines: {
          '{{service}}': `sum by (service) (increase(stanza_log_write_failures_total{${of}}[15m]))`,
        },
      },
      {
        title: 'Connected to NATS',
        description: 'The least of a service: 0 when one of its processes is cut off.',
        unit: 'short',
        lines: { '{{service}}': `min by (service) (stanza_nats_connected{${of}})` },
      },
      {
        title: 'Lost connections to NATS',
        description: 'In five minutes; stale: the server hung, closed: it ended or the network did.',
        unit: 'short',
        lines: {
          '{{service}} {{reason}}': `sum by (service, reason) (increase(stanza_nats_disconnects_total{${of}}[5m]))`,
        },
      },
      {
        title: 'Clocks',
        description: 'How far each process is from Postgres; beyond a minute it is not ready.',
        unit: 's',
        redFrom: 30,
        lines: { '{{service}} {{instance}}': `abs(stanza_clock_difference_seconds{${of}})` },
      },
      {
        title: 'Database without an answer',
        description: 'The most of a service; it asks every 15 seconds.',
        unit: 's',
        lines: { '{{service}}': `max by (service) (stanza_database_unanswered_seconds{${of}})` },
      },
    ],
  },
};
