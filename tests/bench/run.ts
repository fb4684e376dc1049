import { readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { bulkBench } from './bulk/bulk.bench.ts';
import { compileBench } from './compile/compile.bench.ts';
import { engineBench } from './engine/engine.bench.ts';
import { ingestBench } from './ingest/ingest.bench.ts';
import { replayBench } from './replay/replay.bench.ts';
import type { BenchMode, BenchRow } from './row.ts';
import { rpcBench } from './rpc/rpc.bench.ts';

/**
 * Runs every bench and writes `results.md`. With `--check` everything runs once and briefly, to see that it works
 * and that both sides answer the same; no figure of such a run is kept or judged. Names select benches, whose lines
 * alone are written anew.
 */
const benches = {
  engine: engineBench,
  rpc: rpcBench,
  compile: compileBench,
  replay: replayBench,
  ingest: ingestBench,
  bulk: bulkBench,
};

const chosen = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const mode: BenchMode = process.argv.includes('--check') ? 'check' : 'full';

const cellsOf = (row: BenchRow): string[] => [
  row.what,
  row.peer,
  row.ours,
  row.theirs,
  row.ratio.toFixed(2),
  row.budget,
  row.aim,
  row.p50 ?? '',
  row.p99 ?? '',
];

const lineOf = (cells: string[]): string => `| ${cells.join(' | ')} |`;

const head = ['what', 'beside', 'ours', 'theirs', 'ratio', 'budget', 'aim', 'p50', 'p99'];

const table = (lines: string[]): string => [lineOf(head), lineOf(head.map(() => '---')), ...lines].join('\n');

/** What a line measures, beside what. */
const subjectOf = (line: string): string => line.split(' | ').slice(0, 2).join(' | ');

/** The lines of the last results; those of chosen benches take the places of theirs, new ones come last. */
const merged = async (file: string, fresh: string[]): Promise<string[]> => {
  const text = await readFile(file, 'utf8');
  const kept = text.split('\n').filter((line) => line.startsWith('| '));
  const bySubject = new Map(kept.slice(2).map((line) => [subjectOf(line), line]));
  for (const line of fresh) bySubject.set(subjectOf(line), line);
  return [...bySubject.values()];
};

const rows: BenchRow[] = [];
for (const [name, bench] of Object.entries(benches)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  console.log(`bench ${name} …`);
  rows.push(...(await bench(mode)));
}
const lines = rows.map((row) => lineOf(cellsOf(row)));
console.log(table(lines));

if (mode === 'full') {
  const file = join(import.meta.dirname, 'results.md');
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown CPU'}, Node ${process.version}`;
  const all = chosen.length === 0 ? lines : await merged(file, lines);
  const text = `# Figures

Made by \`npm run bench\`, last on ${new Date().toISOString().slice(0, 10)}: ${machine}. Each row holds both sides of one run on the
same machine, in turns; read the ratios, not the absolute figures. For times less is better, for rates more.

${table(all)}
`;
  await writeFile(file, text);
  console.log('written to tests/bench/results.md');
}
process.exit(0);
