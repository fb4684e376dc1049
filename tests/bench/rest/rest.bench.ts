import { setTimeout as pause } from 'node:timers/promises';
import { onStack } from '../on-stack.ts';
import { canMeasureProcesses, usageOf } from '../processes.ts';
import type { BenchMode, BenchRow } from '../row.ts';

/** V8 collects what the start left behind one to two minutes after it. */
const restMs = { full: 150_000, check: 500 } as const;

const beside = new Set(['postgres', 'nats', 'sandbox']);

/** Resident bytes of the services of a stack that was started and not used. */
const memoryAtRest = (small: boolean, mode: BenchMode): Promise<number> =>
  onStack({ small, seed: false }, async ({ stack }) => {
    await pause(restMs[mode]);
    const services = [...usageOf(stack.info.pids)].filter(([name]) => !beside.has(name));
    return services.reduce((sum, [, { rss }]) => sum + rss, 0);
  });

const inMegabytes = (bytes: number): string => `${Math.round(bytes / 1_000_000)} MB`;

/** What the services keep in memory when nothing is asked of them. */
export const restBench = async (mode: BenchMode): Promise<BenchRow[]> => {
  if (!canMeasureProcesses()) {
    console.log('Not run: the memory of processes, which only Linux tells.');
    return [];
  }
  const [separate, together] = await Promise.all([memoryAtRest(false, mode), memoryAtRest(true, mode)]);
  return [
    {
      what: 'memory at rest: six processes',
      peer: 'all services in one process',
      ours: inMegabytes(separate),
      theirs: inMegabytes(together),
      ratio: separate / together,
      budget: '≤ 900 MB (400 MB)',
      aim: '≤ 700 MB (300 MB)',
    },
  ];
};
