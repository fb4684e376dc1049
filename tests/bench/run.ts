import { bulkBench } from './bulk/bulk.bench.ts';
import { cliBench } from './cli/cli.bench.ts';
import { compileBench } from './compile/compile.bench.ts';
import { consoleBench } from './console/console.bench.ts';
import { costBench } from './cost/cost.bench.ts';
import { dueBench } from './due/due.bench.ts';
import { engineBench } from './engine/engine.bench.ts';
import { hostileBench } from './hostile/hostile.bench.ts';
import { ingestBench } from './ingest/ingest.bench.ts';
import { neighboursBench } from './neighbours/neighbours.bench.ts';
import { endSharedStack } from './on-stack.ts';
import { profileBench } from './profile/profile.bench.ts';
import { propagationBench } from './propagation/propagation.bench.ts';
import { replayBench } from './replay/replay.bench.ts';
import { replicasBench } from './replicas/replicas.bench.ts';
import { restBench } from './rest/rest.bench.ts';
import { readResults, writeResults } from './results.ts';
import type { BenchMode, BenchRow } from './row.ts';
import { rpcBench } from './rpc/rpc.bench.ts';
import { scrapeBench } from './scrape/scrape.bench.ts';
import { sdkBench } from './sdk/sdk.bench.ts';
import { sendBench } from './send/send.bench.ts';
import { startBench } from './start/start.bench.ts';
import { machine, today } from './surroundings.ts';
import { markdownTable, rowsOfTable } from './table.ts';
import { updateBench } from './update/update.bench.ts';

/**
 * Runs every bench and writes the budgets of `results.md`. With `--check` everything runs once and briefly, to see that
 * it works and that both sides answer the same; no figure of such a run is kept or judged. Names select benches, whose
 * lines alone are written again; `cost` and `replicas` are tables of their own, and
 * `profile` prints where the time goes.
 */
const benches = {
  engine: engineBench,
  rpc: rpcBench,
  compile: compileBench,
  replay: replayBench,
  ingest: ingestBench,
  bulk: bulkBench,
  send: sendBench,
  update: updateBench,
  hostile: hostileBench,
  neighbours: neighboursBench,
  due: dueBench,
  scrape: scrapeBench,
  sdk: sdkBench,
  cli: cliBench,
  propagation: propagationBench,
  rest: restBench,
  start: startBench,
  console: consoleBench,
};

/** What has a table of its own, and lines of the budgets for what they say of it. */
const tables = { cost: costBench, replicas: replicasBench };

/** What runs only by its name, and prints for people. */
const readings = { profile: profileBench };

const chosen = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const mode: BenchMode = process.argv.includes('--check') ? 'check' : 'full';
const names = Object.keys({ ...benches, ...tables, ...readings });
const unknown = chosen.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`There is no bench ${unknown.join(', ')}; there are ${names.join(', ')}.`);
  process.exit(1);
}

const head = ['what', 'beside', 'ours', 'theirs', 'ratio', 'budget', 'aim', 'p50', 'p99', 'CPU'];

const cellsOf = (row: BenchRow): string[] => [
  row.what,
  row.peer,
  row.ours,
  row.theirs,
  row.ratio?.toFixed(2) ?? '–',
  row.budget,
  row.aim,
  row.p50 ?? '–',
  row.p99 ?? '–',
  row.cpu ?? '–',
];

/** What a line measures, next to what. */
const subjectOf = (cells: readonly string[]): string => cells.slice(0, 2).join(' | ');

/** The lines of the last results; those of chosen benches take the places of theirs, new ones come last. */
const merged = (kept: string[][], fresh: string[][]): string[][] => {
  const bySubject = new Map([...kept, ...fresh].map((cells) => [subjectOf(cells), cells]));
  return [...bySubject.values()];
};

const isWanted = (name: string): boolean => chosen.length === 0 || chosen.includes(name);

const rows: BenchRow[] = [];
try {
  for (const [name, bench] of Object.entries({ ...benches, ...tables })) {
    if (!isWanted(name)) continue;
    console.log(`bench ${name} …`);
    const begun = performance.now();
    rows.push(...(await bench(mode)));
    console.log(`bench ${name}: ${Math.round((performance.now() - begun) / 1_000)} s`);
  }
} finally {
  await endSharedStack();
}
const lines = rows.map(cellsOf);
if (lines.length > 0) console.log(markdownTable(head, lines));

if (mode === 'full' && lines.length > 0) {
  const all = chosen.length === 0 ? lines : merged(rowsOfTable(await readResults('budgets')), lines);
  const made = `Made by \`npm run bench\`, last on ${today()}: ${machine()}.`;
  await writeResults('budgets', `${made}\n\n${markdownTable(head, all)}`);
}
for (const [name, bench] of Object.entries(readings)) {
  if (chosen.includes(name)) await bench(mode);
}
process.exit(0);
