import { writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { compileBench } from './compile/compile.bench.ts';
import { engineBench } from './engine/engine.bench.ts';
import { replayBench } from './replay/replay.bench.ts';
import type { BenchMode, BenchRow } from './row.ts';
import { rpcBench } from './rpc/rpc.bench.ts';

/**
 * Runs every bench and writes `results.md`. With `--check` everything runs once and briefly, to see that it works
 * and that both sides answer the same; no figure of such a run is kept or judged. Names select benches.
 */
const benches = { engine: engineBench, rpc: rpcBench, compile: compileBench, replay: replayBench };

const chosen = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const mode: BenchMode = process.argv.includes('--check') ? 'check' : 'full';

const table = (rows: BenchRow[]): string => {
  const head = ['what', 'beside', 'ours', 'theirs', 'ratio', 'budget', 'aim', 'p50', 'p99'];
  const lines = rows.map((row) => [
    row.what,
    row.peer,
    row.ours,
    row.theirs,
    row.ratio.toFixed(2),
    row.budget,
    row.aim,
    row.p50 ?? '',
    row.p99 ?? '',
  ]);
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
};

const rows: BenchRow[] = [];
for (const [name, bench] of Object.entries(benches)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  console.log(`bench ${name} …`);
  rows.push(...(await bench(mode)));
}
console.log(table(rows));

if (mode === 'full' && chosen.length === 0) {
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown CPU'}, Node ${process.version}`;
  const text = `# Figures

Made by \`npm run bench\` on ${new Date().toISOString().slice(0, 10)}: ${machine}. Each row holds both sides of one run on the same
machine, in turns; read the ratios, not the absolute figures. For times less is better, for rates more.

${table(rows)}
`;
  await writeFile(join(import.meta.dirname, 'results.md'), text);
  console.log('written to tests/bench/results.md');
}
process.exit(0);
