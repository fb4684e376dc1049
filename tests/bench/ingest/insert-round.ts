import { cpuBetween, usageOf } from '../processes.ts';
import type { BenchMode } from '../row.ts';

/** A database to insert into. */
export interface InsertTarget {
  url: string;
  /** The process whose children serve its connections. */
  pid: number;
}

/** What inserting for a while came to. */
export interface InsertRound {
  /** Rows a second. */
  rate: number;
  /** Milliseconds of CPU for 100 rows, by process; `client` is the program that inserts. */
  cpu: Record<string, number>;
}

/** Connections that insert at a time. */
export const insertConnections = 4;

/** Milliseconds of one round. */
const durations = { full: 4_000, check: 500 } as const;

/** Inserts over and over on several connections for a while; `insert` answers how many rows it inserted. */
export const insertRound = async (
  { pid }: InsertTarget,
  insert: () => Promise<number>,
  mode: BenchMode,
): Promise<InsertRound> => {
  const [before, own] = [usageOf({ postgres: pid }), process.cpuUsage()];
  const begun = performance.now();
  const end = begun + durations[mode];
  const lane = async (): Promise<number> => {
    let rows = 0;
    while (performance.now() < end) rows += await insert();
    return rows;
  };
  const lanes = await Promise.all(Array.from({ length: insertConnections }, lane));
  const rows = lanes.reduce((sum, it) => sum + it, 0);
  const seconds = (performance.now() - begun) / 1_000;
  const { user, system } = process.cpuUsage(own);
  const used = { ...cpuBetween(before, usageOf({ postgres: pid })), client: (user + system) / 1_000 };
  return {
    rate: rows / seconds,
    cpu: Object.fromEntries(Object.entries(used).map(([name, ms]) => [name, (ms * 100) / rows])),
  };
};
