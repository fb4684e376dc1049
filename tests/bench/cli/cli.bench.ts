import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { messages } from '@stanza/gallery/exhibits';
import { median } from '../figures.ts';
import type { BenchMode, BenchRow } from '../row.ts';

const run = promisify(execFile);
const cli = join(import.meta.dirname, '../../../shared/cli');
const rounds = { full: 15, check: 1 } as const;
const templates = { full: 200, check: 10 } as const;

/** Milliseconds of a process from its start to its end. */
const timed = async (words: readonly string[], cwd: string): Promise<number> => {
  const begun = performance.now();
  await run(process.execPath, [...words], { cwd });
  return performance.now() - begun;
};

const write = async (folder: string, count: number): Promise<void> => {
  await writeFile(join(folder, 'stanza.json'), '{}');
  for (let number = 0; number < count; number += 1) {
    const exhibit = messages[number % messages.length];
    const own = join(folder, 'templates', `template-${number}`);
    await mkdir(own, { recursive: true });
    await writeFile(join(own, 'template.json'), JSON.stringify(exhibit?.source));
    await writeFile(join(own, 'data.json'), JSON.stringify(exhibit?.data));
  }
};

const milliseconds = (value: number): string => `${value.toFixed(0)} ms`;

/** The command as its package has it: how quickly it helps, and checks templates without a server. */
export const cliBench = async (mode: BenchMode = 'full'): Promise<BenchRow[]> => {
  await run(process.execPath, [join(cli, 'build/bundle.ts')]);
  const command = join(cli, 'dist/stanza.js');
  const folder = await mkdtemp(join(tmpdir(), 'stanza-bench-cli-'));
  try {
    await write(folder, templates[mode]);
    const [floors, helps, checks]: [number[], number[], number[]] = [[], [], []];
    await timed([command, '--help'], folder);
    for (let round = 0; round < rounds[mode]; round += 1) {
      floors.push(await timed(['-e', ''], folder));
      helps.push(await timed([command, '--help'], folder));
      checks.push(await timed([command, 'validate'], folder));
    }
    const [floor, help, check] = [median(floors), median(helps), median(checks)];
    const peer = 'floor: Node that runs an empty program';
    return [
      {
        what: 'stanza --help',
        peer,
        ours: milliseconds(help),
        theirs: milliseconds(floor),
        ratio: help / floor,
        budget: '≤ 3.00 (150 ms)',
        aim: '≤ 2.00',
      },
      {
        what: `stanza validate, ${templates[mode]} templates`,
        peer,
        ours: milliseconds(check),
        theirs: milliseconds(floor),
        ratio: check / floor,
        budget: '≤ 20.00 (1 s)',
        aim: '≤ 10.00',
      },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
