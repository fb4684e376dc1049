import { setTimeout as pause } from 'node:timers/promises';
import { percentile } from '../beside.ts';
import { perform } from '../cost/work.ts';
import { meanCpu } from '../figures.ts';
import { cpuBetween, type Pids, usageOf } from '../processes.ts';
import type { BenchMode } from '../row.ts';

/** Milliseconds until what follows an answer is done: the outbox, logs, settlements. */
const settleMs = { full: 1_500, check: 0 } as const;

/** What one round of a side came to. */
export interface Round {
  /** Messages, or compiles, a second. */
  rate: number;
  /** Milliseconds of CPU of one, by process. */
  cpu: Record<string, number>;
  /** Milliseconds of each. */
  times: number[];
}

const cpuOfOne = (cpu: Record<string, number>, count: number): Record<string, number> =>
  Object.fromEntries(Object.entries(cpu).map(([name, ms]) => [name, ms / count]));

/** A part of the times of all rounds. */
export const quantile = (rounds: readonly Round[], part: number): string =>
  `${percentile(
    rounds.flatMap((it) => it.times),
    part,
  ).toFixed(1)} ms`;

/** Mean CPU of one, by process. */
export const meanOf = (rounds: readonly Round[]): Record<string, number> =>
  meanCpu(rounds.map((it) => it.cpu));

/** Does something over and over with this many in flight. */
export const roundOf = async (
  pids: Pids,
  mode: BenchMode,
  lanes: number,
  request: (at: number) => Promise<unknown>,
  count: number,
): Promise<Round> => {
  const times: number[] = [];
  const timed = async (at: number): Promise<void> => {
    const started = performance.now();
    await request(at);
    times.push(performance.now() - started);
  };
  const before = usageOf(pids);
  const begun = performance.now();
  await perform({ name: 'a round', size: 1, requests: count, request: timed }, lanes);
  const rate = (count / (performance.now() - begun)) * 1_000;
  await pause(settleMs[mode]);
  return { rate, cpu: cpuOfOne(cpuBetween(before, usageOf(pids)), count), times };
};

/** What is ours: the sandbox stands in for the platform. */
export const withoutSandbox = ({ sandbox: _, ...cpu }: Record<string, number>): Record<string, number> => cpu;

/** The CPU of all processes. */
export const sumOf = (cpu: Record<string, number>): number =>
  Object.values(cpu).reduce((sum, ms) => sum + ms, 0);
