import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { serviceNames } from '@stanza/contracts';
import type { Build } from '@stanza/local';
import { loadKnownSettings } from '@stanza/test-kit/database';
import type { Clocks } from './clocks.ts';
import { serviceOf } from './fault.ts';
import { processNames } from './schedule.ts';

/** Where a run keeps what its processes start from, and what they run. */
export interface BuildOptions {
  /** Gets the entries. */
  folder: string;
  /** The checkout, or the copy of it, whose services run. */
  tree: string;
  clocks: Clocks;
}

const text = (value: string): string => JSON.stringify(value);

/** An entry that puts the clock off before anything of the service is loaded. */
const entry = (clockFile: string, main: string): string =>
  [
    `import { offsetIn, shiftClock } from ${text(pathToFileURL(join(import.meta.dirname, 'shifted-clock.ts')).href)};`,
    `shiftClock(offsetIn(${text(clockFile)}));`,
    `await import(${text(pathToFileURL(main).href)});`,
    '',
  ].join('\n');

/** Builds for all processes, which run the services of a tree, each on a clock of its own. */
export const makeBuilds = async ({ folder, tree, clocks }: BuildOptions): Promise<Record<string, Build>> => {
  await mkdir(folder, { recursive: true });
  const known = await loadKnownSettings();
  const builds: Record<string, Build> = {};
  for (const process of processNames) {
    const service = serviceNames.find((it) => it === serviceOf(process));
    if (!service) throw new Error(`no service runs as ${process}`);
    const main = join(folder, `${process}.mjs`);
    await writeFile(main, entry(clocks.file(process), join(tree, 'services', service, 'dist/main.js')));
    builds[process] = { main, settings: known[service] };
  }
  return builds;
};
