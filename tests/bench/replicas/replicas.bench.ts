import type { ServiceName } from '@stanza/contracts';
import type { Replicas } from '@stanza/local';
import { perform, type Work, Workload } from '../cost/work.ts';
import { cpuText } from '../figures.ts';
import { onStack } from '../on-stack.ts';
import { cpuBetween, usageOf } from '../processes.ts';
import { writeResults } from '../results.ts';
import type { BenchMode, BenchRow } from '../row.ts';
import { machine, today } from '../surroundings.ts';
import { markdownTable } from '../table.ts';

const inFlight = 64;
const scale = { full: 0.5, check: 0.01 } as const;

/** The work by which a service is loaded, and the share of the usual requests that is enough of it. */
const loads = {
  compile: 'compile',
  gateway: 'compile',
  'queue-ingest': 'push of 100 events',
  delivery: 'send-bulk of 100, each message',
} as const satisfies Partial<Record<ServiceName, string>>;

/** Stacks to measure: one process of everything, then more of one service at a time. */
const stacks: readonly { service?: keyof typeof loads; count: number }[] = [
  { count: 1 },
  ...(['compile', 'gateway', 'queue-ingest', 'delivery'] as const).flatMap((service) =>
    [2, 4].map((count) => ({ service, count })),
  ),
];

interface Grown {
  /** Of the work's units in a second. */
  rate: number;
  /** Milliseconds of CPU for one unit, by service. */
  cpu: Record<string, number>;
}

/** Replicas of a service count as one: `gateway-2` is a gateway. */
const byService = (cpu: Record<string, number>): Record<string, number> => {
  const sums: Record<string, number> = {};
  for (const [name, ms] of Object.entries(cpu)) {
    const service = name.replace(/-\d+$/, '');
    sums[service] = (sums[service] ?? 0) + ms;
  }
  return sums;
};

const measure = async (work: Work, pids: () => Record<string, number>): Promise<Grown> => {
  await perform({ ...work, requests: Math.ceil(work.requests / 3) }, inFlight);
  const before = usageOf(pids());
  const begun = performance.now();
  await perform(work, inFlight);
  const seconds = (performance.now() - begun) / 1_000;
  const units = work.requests * work.size;
  const used = byService(cpuBetween(before, usageOf(pids())));
  return {
    rate: units / seconds,
    cpu: Object.fromEntries(Object.entries(used).map(([name, ms]) => [name, ms / units])),
  };
};

/** Measures works, by their names, on a stack with these replicas. */
const onReplicas = (
  replicas: Replicas,
  names: readonly string[],
  mode: BenchMode,
): Promise<Map<string, Grown>> =>
  onStack({ replicas }, async ({ stack, world }) => {
    const workload = await Workload.open(world, stack.baseUrls);
    const found = new Map<string, Grown>();
    try {
      for (const work of workload.works(scale[mode])) {
        if (names.includes(work.name)) found.set(work.name, await measure(work, () => stack.info.pids));
      }
      return found;
    } finally {
      await workload.close();
    }
  });

/** How the rate and the cost of work change with the processes of the service that does it. */
export const replicasBench = async (mode: BenchMode): Promise<BenchRow[]> => {
  const lines: string[][] = [];
  const alone = new Map<string, Grown>();
  for (const { service, count } of mode === 'full' ? stacks : stacks.slice(0, 2)) {
    const names: string[] = service === undefined ? Object.values(loads) : [loads[service]];
    const measured = await onReplicas(service === undefined ? {} : { [service]: count }, names, mode);
    for (const [name, grown] of measured) {
      if (service === undefined) alone.set(name, grown);
      const beside = alone.get(name)?.rate ?? grown.rate;
      const line = [
        service === undefined ? 'one of each' : `${count} × ${service}`,
        name,
        `${Math.round(grown.rate)}/s`,
        (grown.rate / beside).toFixed(2),
        cpuText(grown.cpu),
      ];
      lines.push(line);
      console.log(line.join(' · '));
    }
  }
  const table = markdownTable(['processes', 'work', 'rate', 'to one of each', 'CPU of one'], lines);
  console.log(table);
  const made = `Made by \`npm run bench -- replicas\` on ${today()}: ${machine()}.`;
  if (mode === 'full') await writeResults('replicas', `${made}\n\n${table}`);
  // Each line is next to another of its own table.
  return [];
};
