import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from '../figures.ts';
import type { BenchMode, BenchRow } from '../row.ts';

const project = join(import.meta.dirname, '../../..');
/** Starts that are measured, after one that makes the database. */
const starts = { full: 5, check: 1 } as const;

/**
 * Runs an npm command upon a stack's folder of its own, as a person does.
 * @returns the milliseconds that it took
 */
const npmRun = async (directory: string, words: string[]): Promise<number> => {
  const begun = performance.now();
  const child = spawn('npm', words, {
    cwd: project,
    env: { ...process.env, STANZA_DIRECTORY: directory },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`npm ${words.join(' ')} ended with ${code}:\n${output}`);
  return performance.now() - begun;
};

/** The floor: Node started by npm, and nothing done. */
const nothing = ['exec', '--', 'node', '-e', ''];
const start = ['start', '--', '--port', '0', '--detach'];
const stop = ['stop'];

/** `npm start` until everything is ready, with built sources and a database that was used before. */
export async function startBench(mode: BenchMode = 'full'): Promise<BenchRow[]> {
  const directory = await mkdtemp(join(tmpdir(), 'stanza-bench-'));
  const [ours, floors]: [number[], number[]] = [[], []];
  try {
    await npmRun(directory, start);
    await npmRun(directory, stop);
    for (let round = 0; round < starts[mode]; round += 1) {
      floors.push(await npmRun(directory, nothing));
      ours.push(await npmRun(directory, start));
      await npmRun(directory, stop);
    }
  } finally {
    await npmRun(directory, stop);
    await rm(directory, { recursive: true, force: true });
  }
  const seconds = (values: number[]): string => `${(median(values) / 1_000).toFixed(2)} s`;
  return [
    {
      what: 'start: npm start, warm, to ready',
      peer: 'floor: npm that runs an empty program',
      ours: seconds(ours),
      theirs: seconds(floors),
      ratio: median(ours) / median(floors),
      budget: '≤ 4 s',
      aim: '≤ 3 s',
      p50: seconds(ours),
      p99: `${(Math.max(...ours) / 1_000).toFixed(2)} s`,
    },
  ];
}
