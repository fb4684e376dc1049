import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type pg from 'pg';
import { Workload } from '../cost/work.ts';
import { onStack } from '../on-stack.ts';
import { canMeasureProcesses } from '../processes.ts';
import { writeResults } from '../results.ts';
import { machine, today } from '../surroundings.ts';
import { markdownTable } from '../table.ts';
import { letDaysPass } from './aged-rows.ts';
import { SteadyLoad } from './load.ts';
import { type Sample, Sampler } from './sample.ts';
import { type Verdict, verdictsOf } from './verdicts.ts';

/**
 * `npm run soak`: a steady load of everything on a stack of its own, days that pass for what has settled, a look at what it
 * holds every minute, and whether that stays as it is. `--minutes 30`, `--rate 20` (requests a second), `--write` keeps the
 * figures in results.md. Ends with 1 when something grew or a request failed.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    rate: { type: 'string', default: '20' },
    write: { type: 'boolean', default: false },
  },
});

/** Between two looks at the heaps. */
const glanceMs = 3_000;
/** In minutes. The rarest of the jobs that run at all in half an hour runs every ten. */
const settlesAfter = { load: 5, jobs: 12, tables: 21 };

const numberOf = (name: 'minutes' | 'rate'): number => {
  const value = Number(values[name]);
  if (Number.isFinite(value) && value > 0) return value;
  console.error(`--${name} takes a number above 0.`);
  process.exit(2);
};

const minutes = numberOf('minutes');
const rate = numberOf('rate');
/** A short run has a sample every quarter of a minute, and settles by its half. */
const isShort = minutes < 2 * settlesAfter.jobs;
const settling = isShort
  ? { load: minutes / 2, jobs: minutes / 2, tables: undefined }
  : { ...settlesAfter, tables: minutes < settlesAfter.tables + 6 ? undefined : settlesAfter.tables };
const sampleEvery = isShort ? 0.25 : 1;

const sumOf = (values: Record<string, number>): number =>
  Object.values(values).reduce((sum, value) => sum + value, 0);
const mebibytes = (bytes: number): string => (bytes / 1_048_576).toFixed(0);

const sampleHead = [
  'minute',
  'requests',
  'memory of services, MiB',
  'heap, MiB',
  'Postgres alone, MiB',
  'files',
  'connections',
  'series',
  'database, MiB',
  'worst lag p99, ms',
];

const sampleCells = (sample: Sample): string[] => {
  const { postgres = 0, nats = 0, sandbox = 0, ...services } = sample.memory;
  return [
    sample.minutes.toFixed(isShort ? 2 : 0),
    String(sample.requests),
    mebibytes(sumOf(services)),
    mebibytes(sumOf(sample.heap)),
    mebibytes(postgres),
    String(sumOf(sample.files)),
    String(sample.connections),
    String(sumOf(sample.series)),
    mebibytes(sample.database),
    Math.max(...Object.values(sample.lag)).toFixed(0),
  ];
};

const verdictCells = ({ what, before, after, ratio, limit, holds }: Verdict): string[] => [
  what,
  before,
  after,
  ratio.toFixed(2),
  `≤ ${limit}`,
  holds ? 'holds' : 'GREW',
];

const tablesText = (sample: Sample): string =>
  Object.entries(sample.tables)
    .map(([name, bytes]) => `${name} ${mebibytes(bytes)} MiB`)
    .join(', ');

/** Loads and looks until the time is over. */
const observe = async (sampler: Sampler, load: SteadyLoad, database: pg.Pool): Promise<Sample[]> => {
  const begun = performance.now();
  const elapsed = (): number => (performance.now() - begun) / 60_000;
  const samples: Sample[] = [];
  console.log(sampleHead.join(' · '));
  for (let next = sampleEvery; next <= minutes + 1e-9; next += sampleEvery) {
    while (elapsed() < next) {
      await pause(Math.min(glanceMs, Math.max((next - elapsed()) * 60_000, 1)));
      await sampler.glance();
    }
    if (Number.isInteger(next)) await letDaysPass(database);
    const sample = await sampler.take(next, load.count.answered);
    samples.push(sample);
    console.log(sampleCells(sample).join(' · '));
  }
  return samples;
};

const report = async (samples: Sample[], load: SteadyLoad): Promise<boolean> => {
  const verdicts = verdictsOf(samples, settling);
  const { answered, failed, lastFailure } = load.count;
  if (failed > 0) console.error('The last failure:', lastFailure);
  const last = samples.at(-1);
  const said = [
    `Made by \`npm run soak -- --minutes ${minutes} --rate ${rate}\` on ${today()}: ${machine()}.`,
    `${answered} requests were answered, ${failed} failed. In every hundred: 50 compiles, 15 pushes of 100 events, 15 sends, 5 pushes of 10 events that close a digest, 9 looks at a key, 5 replays, 1 bulk send of 100.`,
    markdownTable(sampleHead, samples.map(sampleCells)),
    markdownTable(
      ['what', 'once settled', 'at the end', 'ratio', 'limit', 'verdict'],
      verdicts.map(verdictCells),
    ),
    `Settled: after ${settling.load} minutes, or ${settling.jobs} for what jobs bring; of memory the most in the first half counts.`,
    settling.tables === undefined
      ? 'The tables from which rows are forgotten are judged in half an hour alone.'
      : `Each minute 400 days pass for what has settled, and jobs forget it every ten minutes; tables are judged after ${settling.tables} minutes.`,
    `The largest tables at the end: ${last ? tablesText(last) : 'none'}.`,
  ].join('\n\n');
  console.log(`\n${said}\n`);
  if (values.write) await writeResults('soak', said);
  return failed === 0 && verdicts.every((it) => it.holds);
};

if (!canMeasureProcesses()) {
  console.error('Not run: only Linux tells what processes hold.');
  process.exit(2);
}

const holds = await onStack({}, async ({ stack, world }) => {
  const workload = await Workload.open(world, stack.baseUrls);
  const load = new SteadyLoad(workload, rate);
  try {
    const samples = await observe(new Sampler(stack, world.database), load, world.database);
    await load.end();
    return await report(samples, load);
  } finally {
    await load.end();
    await workload.close();
  }
});
console.log(holds ? 'All of it stays as it is.' : 'Something grew, or a request failed: see above.');
process.exit(holds ? 0 : 1);
