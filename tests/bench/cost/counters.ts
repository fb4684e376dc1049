import type pg from 'pg';
import { z } from 'zod';
import { type Pids, type Usage, usageOf } from '../processes.ts';

/** All that was counted so far. */
export interface Counted {
  /** When, in milliseconds. */
  at: number;
  usage: Map<string, Usage>;
  /**
   * Statements by role, `begin` and `commit` included. The setting of the reach, which is sent in one message with each
   * statement, is not counted.
   */
  statements: Map<string, number>;
  /** Committed transactions of all roles. */
  transactions: number;
  /** Flushes of the write-ahead log by sessions of clients. */
  flushes: number;
  /** Bytes that Postgres wrote to its log. */
  wal: number;
  /** Messages that NATS took and gave. */
  natsMessages: number;
  natsBytes: number;
}

const monitored = z.object({
  in_msgs: z.number(),
  out_msgs: z.number(),
  in_bytes: z.number(),
  out_bytes: z.number(),
});

type CountedByPostgres = Pick<Counted, 'statements' | 'transactions' | 'flushes' | 'wal'>;

const countedBy = async (database: pg.Pool): Promise<CountedByPostgres> => {
  const { rows } = await database.query<{ role: string; calls: string }>(
    `select rolname as role, sum(calls) as calls
     from pg_stat_statements join pg_roles on pg_roles.oid = userid
     where query not like 'select set_config(%'
     group by rolname`,
  );
  const sums = await database.query<{ wal: string; transactions: string; flushes: string }>(
    `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as wal,
       (select xact_commit from pg_stat_database where datname = current_database()) as transactions,
       (select sum(fsyncs) from pg_stat_io where object = 'wal' and backend_type = 'client backend') as flushes`,
  );
  const [sum] = sums.rows;
  return {
    statements: new Map(rows.map(({ role, calls }) => [role, Number(calls)])),
    transactions: Number(sum?.transactions),
    flushes: Number(sum?.flushes),
    wal: Number(sum?.wal),
  };
};

/** Where to read the counters. */
export interface Counters {
  pids: () => Pids;
  database: pg.Pool;
  natsMonitor: string;
}

/** Reads all counters. */
export const countAll = async ({ pids, database, natsMonitor }: Counters): Promise<Counted> => {
  const response = await fetch(`${natsMonitor}/varz`);
  const { in_msgs, out_msgs, in_bytes, out_bytes } = monitored.parse(await response.json());
  return {
    at: performance.now(),
    usage: usageOf(pids()),
    ...(await countedBy(database)),
    natsMessages: in_msgs + out_msgs,
    natsBytes: in_bytes + out_bytes,
  };
};

/** What something used. */
export interface Cost {
  ms: number;
  /** Milliseconds of CPU by process. */
  cpu: Record<string, number>;
  /** Statements by role. */
  statements: Record<string, number>;
  transactions: number;
  flushes: number;
  wal: number;
  natsMessages: number;
  natsBytes: number;
  /** Bytes that the services read and wrote, HTTP, NATS, database and log together. */
  bytes: number;
}

const difference = (after: ReadonlyMap<string, number>, before: ReadonlyMap<string, number>) =>
  Object.fromEntries([...after].map(([name, value]) => [name, value - (before.get(name) ?? 0)]));

const cpuOf = (usage: Map<string, Usage>) => new Map([...usage].map(([name, { cpuMs }]) => [name, cpuMs]));

const bytesOf = (usage: Map<string, Usage>): number =>
  [...usage]
    .filter(([name]) => !['postgres', 'nats', 'sandbox'].includes(name))
    .reduce((sum, [, { bytes }]) => sum + bytes, 0);

/** What was used between two readings. */
export const costBetween = (before: Counted, after: Counted): Cost => ({
  ms: after.at - before.at,
  cpu: difference(cpuOf(after.usage), cpuOf(before.usage)),
  statements: difference(after.statements, before.statements),
  transactions: after.transactions - before.transactions,
  flushes: after.flushes - before.flushes,
  wal: after.wal - before.wal,
  natsMessages: after.natsMessages - before.natsMessages,
  natsBytes: after.natsBytes - before.natsBytes,
  bytes: bytesOf(after.usage) - bytesOf(before.usage),
});

const mapped = (values: Record<string, number>, change: (value: number, name: string) => number) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value, name)]));

/** The cost of one of this many, without what the idle stack would have used in the same time. */
export const costOfOne = (cost: Cost, idle: Cost, count: number): Cost => {
  const share = cost.ms / idle.ms;
  const one = (used: number, unused: number): number => Math.max(used - unused * share, 0) / count;
  return {
    ms: cost.ms / count,
    cpu: mapped(cost.cpu, (value, name) => one(value, idle.cpu[name] ?? 0)),
    statements: mapped(cost.statements, (value, name) => one(value, idle.statements[name] ?? 0)),
    transactions: one(cost.transactions, idle.transactions),
    flushes: one(cost.flushes, idle.flushes),
    // What an idle database writes comes in bursts of its own, which say nothing of the next.
    wal: cost.wal / count,
    natsMessages: one(cost.natsMessages, idle.natsMessages),
    natsBytes: one(cost.natsBytes, idle.natsBytes),
    bytes: one(cost.bytes, idle.bytes),
  };
};
