import autocannon from 'autocannon';
import type { BenchMode, BenchRow } from './row.ts';

/** Connections of a load that says nothing else. */
const usualConnections = 64;
const rounds = { full: 5, check: 1 } as const;
const seconds = { full: 4, check: 1 } as const;

/** What one load of an address came to. */
export interface Measured {
  rate: number;
  p50: number;
  p99: number;
  errors: number;
}

/** An address under load, and what its requests carry. */
export interface Target {
  url: string;
  headers: Record<string, string>;
  /** Default: 64. */
  connections?: number;
  /** Paths that are asked in turn, instead of that of the address. */
  paths?: readonly string[];
}

const load = async (
  { url, headers, connections = usualConnections, paths }: Target,
  body: string,
  duration: number,
): Promise<Measured> => {
  const result = await autocannon({
    url,
    connections,
    ...(paths && { requests: paths.map((path) => ({ path })) }),
    duration,
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  });
  const { p50, p99 } = result.latency;
  return { rate: result['2xx'] / result.duration, p50, p99, errors: result.non2xx + result.errors };
};

/** The value in the middle. */
export const median = (values: number[]): number =>
  values.sort((one, other) => one - other)[values.length >> 1] ?? 0;

/** Loads each target for a while, one after the other, over and over, after a warm-up of each. */
export const inTurns = async (
  targets: readonly Target[],
  body: string,
  mode: BenchMode,
): Promise<Measured[][]> => {
  const measured: Measured[][] = targets.map(() => []);
  for (const target of targets) await load(target, body, 1);
  for (let round = 0; round < rounds[mode]; round += 1) {
    for (const [index, target] of targets.entries())
      measured[index]?.push(await load(target, body, seconds[mode]));
  }
  const failures = measured.flat().reduce((sum, it) => sum + it.errors, 0);
  if (failures > 0) throw new Error(`${failures} requests of the bench failed`);
  return measured;
};

/** The medians of both sides as a line of the results. */
export const rowOf = (
  ours: Measured[],
  theirs: Measured[],
  facts: Pick<BenchRow, 'what' | 'peer' | 'budget' | 'aim'>,
): BenchRow => {
  const rate = (measured: Measured[]) => median(measured.map((it) => it.rate));
  return {
    ...facts,
    ours: `${Math.round(rate(ours))}/s`,
    theirs: `${Math.round(rate(theirs))}/s`,
    ratio: rate(ours) / rate(theirs),
    p50: `${median(ours.map((it) => it.p50))} ms`,
    p99: `${median(ours.map((it) => it.p99))} ms`,
  };
};
