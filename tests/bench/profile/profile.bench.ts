import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { perform, Workload } from '../cost/work.ts';
import { onStack } from '../on-stack.ts';
import type { BenchMode } from '../row.ts';
import { byPlace, cpuProfile, type Period, selfTimes } from './sums.ts';

const inFlight = 64;
const scale = { full: 0.5, check: 0.01 } as const;
const shown = { functions: 14, places: 10 };
/** What is shown of the workloads: those that have a budget end to end. */
const profiled = ['compile', 'send-bulk of 100, each message', 'push of 100 events'];

const now = (): number => Number(process.hrtime.bigint() / 1_000n);

/** Loads a stack whose processes all write profiles as they end; answers when each work was done. */
const loadProfiled = (folder: string, mode: BenchMode): Promise<Map<string, Period>> =>
  onStack({ env: { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${folder}` } }, async ({ stack, world }) => {
    const workload = await Workload.open(world, stack.baseUrls);
    const periods = new Map<string, Period>();
    try {
      for (const work of workload.works(scale[mode]).filter((it) => profiled.includes(it.name))) {
        await perform({ ...work, requests: Math.ceil(work.requests / 4) }, inFlight);
        const from = now();
        await perform(work, inFlight);
        periods.set(work.name, { from, to: now() });
      }
    } finally {
      await workload.close();
    }
    return periods;
  });

const largest = (times: ReadonlyMap<string, number>, count: number, total: number): string =>
  [...times]
    .filter(([name]) => name !== '(idle)')
    .sort(([, one], [, other]) => other - one)
    .slice(0, count)
    .map(([name, took]) => `${((took * 100) / total).toFixed(1).padStart(8)} %  ${name}`)
    .join('\n');

/** Prints where the time of each service goes, by package or file and by function, for each work. */
const print = async (folder: string, periods: ReadonlyMap<string, Period>): Promise<void> => {
  for (const file of await readdir(folder)) {
    const profile = cpuProfile.parse(JSON.parse(await readFile(join(folder, file), 'utf8')));
    const main = profile.nodes
      .map((it) => it.callFrame.url)
      .find((url) => /services\/[^/]+\/.*main\./.test(url));
    const service = /services\/([^/]+)\//.exec(main ?? '')?.[1];
    if (service === undefined) continue;
    for (const [name, period] of periods) {
      const times = selfTimes(profile, period);
      const total = [...times.values()].reduce((sum, took) => sum + took, 0);
      const busy = 1 - (times.get('(idle)') ?? 0) / Math.max(total, 1);
      if (busy < 0.1) continue;
      console.log(`\n${name}: ${service}, busy ${(busy * 100).toFixed(0)} % of the time, of which`);
      console.log(largest(byPlace(times), shown.places, total * busy));
      console.log('  by function');
      console.log(largest(times, shown.functions, total * busy));
    }
  }
};

/** Where the time goes, by service and function, of what is measured end to end. Writes nothing: it is to be read. */
export const profileBench = async (mode: BenchMode): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'stanza-profiles-'));
  try {
    const periods = await loadProfiled(folder, mode);
    await print(folder, periods);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
