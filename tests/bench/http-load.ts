import autocannon from 'autocannon';
import { cpuText, median } from './figures.ts';
import { cpuBetween, type Pids, usageOf } from './processes.ts';
import type { BenchMode, BenchRow } from './row.ts';

/** Connections of a load that says nothing else. */
const usualConnections = 64;
const rounds = { full: 5, check: 1 } as const;
const seconds = { full: 4, check: 1 } as const;
/**
 * Seconds of load before the measurement where the figure is that of a service that has run for a while. V8 compiles
 * what a service runs for ten to twenty seconds of load, during which a compile takes up to twice the CPU that it takes
 * afterwards; a peer of one file is done in two.
 */
export const longWarmUp = { full: 20, check: 1 } as const;
const shortWarmUp = { full: 1, check: 1 } as const;

/** What one load of an address came to. */
export interface Measured {
  rate: number;
  p50: number;
  p99: number;
  errors: number;
  /** What the first request that failed was answered. */
  firstError?: string;
  /** Milliseconds of CPU for one request, by process. */
  cpu: Record<string, number>;
}

/** An address under load, and what its requests carry. */
export interface Target {
  url: string;
  headers: Record<string, string>;
  /** Default: 64. */
  connections?: number;
  /** Paths that are asked in turn, instead of that of the address. */
  paths?: readonly string[];
  /** The processes that do the work, whose CPU is measured. */
  pids?: Pids;
}

/**
 * Waits until what a load has left behind is served, as far as one more request shows: a load ends with a request under
 * way on each connection, and those of two loads together are more than an organization may have in a service.
 */
const settled = async ({ url, headers, paths }: Target, body: string): Promise<void> => {
  const address = paths?.[0] === undefined ? url : new URL(paths[0], url);
  const answer = await fetch(address, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  });
  await answer.text();
};

/** Loads an address for this many seconds, and waits until it is done with it. */
export const load = async (target: Target, body: string, duration: number): Promise<Measured> => {
  const { url, headers, connections = usualConnections, paths, pids = {} } = target;
  const before = usageOf(pids);
  let firstError: string | undefined;
  const onResponse = (status: number, answer: string): void => {
    if (status >= 300) firstError ??= `${status} ${answer}`;
  };
  const result = await autocannon({
    url,
    connections,
    requests: paths ? paths.map((path) => ({ path, onResponse })) : [{ onResponse }],
    duration,
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  });
  const used = cpuBetween(before, usageOf(pids));
  const answered = result['2xx'];
  const { p50, p99 } = result.latency;
  await settled(target, body);
  return {
    rate: answered / result.duration,
    p50,
    p99,
    errors: result.non2xx + result.errors,
    ...(firstError !== undefined && { firstError }),
    cpu: Object.fromEntries(Object.entries(used).map(([name, ms]) => [name, ms / Math.max(answered, 1)])),
  };
};

/** How often a measurement is made in which requests failed, before the bench fails. */
const attempts = 3;

/** One measurement. See {@link inTurns}. */
const measureInTurns = async (
  targets: readonly Target[],
  body: string,
  mode: BenchMode,
  warmUp: Record<BenchMode, number>,
): Promise<Measured[][]> => {
  const measured: Measured[][] = targets.map(() => []);
  for (const target of targets) await load(target, body, warmUp[mode]);
  for (let round = 0; round < rounds[mode]; round += 1) {
    for (const [index, target] of targets.entries())
      measured[index]?.push(await load(target, body, seconds[mode]));
  }
  return measured;
};

/**
 * Loads each target for a while, one after the other, over and over, after a warm-up of each. A rate says nothing where
 * requests failed, as on a machine that stalls, so such a measurement is told and made again.
 * @throws Error when requests fail each time
 */
export const inTurns = async (
  targets: readonly Target[],
  body: string,
  mode: BenchMode,
  warmUp: Record<BenchMode, number> = shortWarmUp,
): Promise<Measured[][]> => {
  for (let attempt = 1; ; attempt += 1) {
    const measured = await measureInTurns(targets, body, mode, warmUp);
    const loads = measured.flat();
    const failures = loads.reduce((sum, it) => sum + it.errors, 0);
    if (failures === 0) return measured;
    const answer = loads.find((it) => it.firstError !== undefined)?.firstError ?? 'none within 10 s';
    const told = `${failures} requests of the bench failed, the first with the answer: ${answer}`;
    if (attempt === attempts) throw new Error(told);
    process.stderr.write(`${told}\nThey are measured again.\n`);
  }
};

/** The medians of what each process used, over several loads. */
export const medianCpu = (measured: readonly Measured[]): Record<string, number> =>
  Object.fromEntries(
    Object.keys(measured[0]?.cpu ?? {}).map((name) => [
      name,
      median(measured.map((it) => it.cpu[name] ?? 0)),
    ]),
  );

/** CPU of both sides for one request. */
const bothCpu = (ours: readonly Measured[], theirs: readonly Measured[]): string =>
  `${cpuText(medianCpu(ours))}; beside ${cpuText(medianCpu(theirs))}`;

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
    cpu: bothCpu(ours, theirs),
  };
};
