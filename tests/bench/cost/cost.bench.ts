import { setTimeout as pause } from 'node:timers/promises';
import { freePorts, type Stack, waitUntil } from '@stanza/local';
import { connectionLimits } from '@stanza/local/database-client';
import { startTestNats, type TestNats } from '@stanza/runtime/testing/nats';
import pg from 'pg';
import type { World } from '../../kit/stack.ts';
import { onStack } from '../on-stack.ts';
import { canMeasureProcesses } from '../processes.ts';
import { writeResults } from '../results.ts';
import type { BenchMode, BenchRow } from '../row.ts';
import { machine, today } from '../surroundings.ts';
import { markdownTable } from '../table.ts';
import { type Cost, type Counters, costBetween, costOfOne, countAll } from './counters.ts';
import { alone, perform, type Work, Workload } from './work.ts';

/** Requests in flight: enough to keep the stack busy, few enough that nothing queues for long. */
const inFlight = 8;
const idleMs = { full: 30_000, check: 500 } as const;
/** What Node collects and Postgres vacuums once the load of the warm-up is over belongs to that load, not to idling. */
const restMs = { full: 150_000, check: 500 } as const;
/**
 * Work after an answer (outbox, logs of compiles) belongs to the cost and is done by then. An idle session of Postgres
 * reports its transactions and flushes after ten seconds.
 */
const settleMs = { full: 11_500, check: 500 } as const;
const scale = { full: 1, check: 0.01 } as const;

/** Lets Postgres count statements, which it must be told before it starts. */
const countStatements = async (stack: Stack): Promise<void> => {
  const configured = new pg.Client({ ...connectionLimits, connectionString: stack.info.database_url });
  await configured.connect();
  await configured.query(`alter system set shared_preload_libraries = 'pg_stat_statements'`);
  await configured.end();
  const postgres = stack.process('postgres');
  await postgres.stop();
  await postgres.start();
  const extended = new pg.Client({ ...connectionLimits, connectionString: stack.info.database_url });
  await extended.connect();
  await extended.query('create extension if not exists pg_stat_statements schema public');
  await extended.end();
};

/** Services find their database again by themselves; what they are asked in the meantime fails. */
const openWorkload = async (world: World, baseUrls: readonly string[]): Promise<Workload> => {
  let workload: Workload | undefined;
  let why: unknown;
  await waitUntil(
    async () => {
      try {
        workload = await Workload.open(world, baseUrls);
      } catch (error) {
        why = error;
      }
      return workload !== undefined;
    },
    { timeoutMs: 30_000, everyMs: 500 },
  );
  if (workload === undefined) throw new Error('the stack did not come back', { cause: why });
  return workload;
};

const measure = async (counters: Counters, mode: BenchMode, work: () => Promise<unknown>): Promise<Cost> => {
  const before = await countAll(counters);
  await work();
  await pause(settleMs[mode]);
  return costBetween(before, await countAll(counters));
};

const services = ['gateway', 'organization', 'template', 'compile', 'delivery', 'queue-ingest'];
const processes = [...services, 'postgres', 'nats', 'sandbox'];
const head = [
  'one',
  ...processes,
  'all but the sandbox',
  'statements',
  'transactions',
  'flushes',
  'WAL',
  'NATS messages',
  'NATS bytes',
  'bytes',
];

const kib = (bytes: number): string => `${(bytes / 1_024).toFixed(1)} KiB`;

/** The roles of services; what the bench itself asks is another's. */
const asked = ({ statements }: Cost): string => {
  const named = Object.entries(statements).filter(
    ([role, calls]) => role.startsWith('stanza_') && calls >= 0.05,
  );
  const sum = named.reduce((total, [, calls]) => total + calls, 0);
  const parts = named.sort(([, one], [, other]) => other - one);
  const list = parts.map(([role, calls]) => `${role.replace('stanza_', '')} ${calls.toFixed(1)}`);
  return list.length === 0 ? '0' : `${sum.toFixed(1)}: ${list.join(', ')}`;
};

const lineOf = (name: string, cost: Cost): string[] => {
  const cpu = (process: string): number => cost.cpu[process] ?? 0;
  const sum = processes.filter((it) => it !== 'sandbox').reduce((total, it) => total + cpu(it), 0);
  return [
    name,
    ...processes.map((it) => cpu(it).toFixed(2)),
    sum.toFixed(2),
    asked(cost),
    cost.transactions.toFixed(1),
    cost.flushes.toFixed(1),
    kib(cost.wal),
    cost.natsMessages.toFixed(1),
    kib(cost.natsBytes),
    kib(cost.bytes),
  ];
};

/** What the budgets say of the costs. */
const budgetRow = (what: string, ours: string, budget: string, aim: string): BenchRow => ({
  what,
  peer: '–',
  ours,
  theirs: '–',
  budget,
  aim,
});

/** Statements of the services; those of the bench are another's. */
const statementsOf = ({ statements }: Cost): number =>
  Object.entries(statements).reduce(
    (sum, [role, calls]) => sum + (role.startsWith('stanza_') ? calls : 0),
    0,
  );

const idleRows = (idle: Cost): BenchRow[] => {
  const { sandbox: _, ...cpu } = idle.cpu;
  const sum = Object.values(cpu).reduce((total, ms) => total + ms, 0);
  return [
    budgetRow('idle stack: statements a second', statementsOf(idle).toFixed(1), '≤ 3', '≤ 2'),
    budgetRow('idle stack: CPU', `${sum.toFixed(0)} ms/s`, '≤ 20 ms/s', '≤ 10 ms/s'),
  ];
};

const sendRows = (send: Cost): BenchRow[] => [
  budgetRow('send, one at a time: statements', statementsOf(send).toFixed(1), '≤ 8', '≤ 6'),
  budgetRow('send, one at a time: flushes of the log', send.flushes.toFixed(1), '≤ 4', '≤ 4'),
];

/** The lines of the table of costs, and those of the budgets. */
interface Measured {
  lines: string[][];
  rows: BenchRow[];
}

const measureAll = async (counters: Counters, workload: Workload, mode: BenchMode): Promise<Measured> => {
  const works = workload.works(scale[mode]);
  const warmUp = (work: Work): Work => ({ ...work, requests: Math.ceil(work.requests / 5) });
  for (const work of works) await perform(warmUp(work), work.inFlight ?? inFlight);
  await pause(restMs[mode]);
  const idle = await measure(counters, mode, () => pause(idleMs[mode]));
  const idleSecond = costOfOne(idle, { ...idle, cpu: {}, ...nothing }, idle.ms / 1_000);
  const lines = [lineOf('idle, a second', idleSecond)];
  const rows = idleRows(idleSecond);
  for (const work of works) {
    const cost = await measure(counters, mode, () => perform(work, work.inFlight ?? inFlight));
    const one = costOfOne(cost, idle, work.requests * work.size);
    lines.push(lineOf(work.name, one));
    if (work.name === alone) rows.push(...sendRows(one));
  }
  return { lines, rows };
};

const nothing = {
  statements: {},
  transactions: 0,
  flushes: 0,
  wal: 0,
  natsMessages: 0,
  natsBytes: 0,
  bytes: 0,
};

const stackAndBroker = async (nats: TestNats, monitor: string, mode: BenchMode): Promise<Measured> =>
  onStack({ env: { NATS_URL: nats.url } }, async ({ stack, world }) => {
    await countStatements(stack);
    const workload = await openWorkload(world, stack.baseUrls);
    try {
      const pids = () => ({ ...stack.info.pids, nats: nats.pid ?? 0 });
      return await measureAll({ pids, database: world.database, natsMonitor: monitor }, workload, mode);
    } finally {
      await workload.close();
    }
  });

/** What one request of each kind costs, in CPU by process, statements, messages and bytes. */
export const costBench = async (mode: BenchMode): Promise<BenchRow[]> => {
  if (!canMeasureProcesses()) {
    console.log('Not run: the costs of requests, which only Linux tells.');
    return [];
  }
  const [monitorPort = 0] = await freePorts(1);
  const nats = await startTestNats({ monitorPort, maxPayload: 8 * 1024 * 1024 });
  try {
    const { lines, rows } = await stackAndBroker(nats, `http://127.0.0.1:${monitorPort}`, mode);
    const table = markdownTable(head, lines);
    console.log(table);
    const made = `Made by \`npm run bench -- cost\` on ${today()}: ${machine()}. Columns of processes are milliseconds of CPU.`;
    if (mode === 'full') await writeResults('cost', `${made}\n\n${table}`);
    return rows;
  } finally {
    await nats.close();
  }
};
