import { renameSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';

/**
 * Preloaded into every process of a stack. SIGUSR2 writes the functions that have run since the previous signal, with
 * their counts, into the folder that the query of this module's address names.
 */
const folder = new URL(import.meta.url).searchParams.get('folder') ?? '';
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

const isOurs = (url: string): boolean =>
  /\/(?:services|shared)\/[a-z-]+\/(?:dist|src)\//.test(url) && !url.includes('/node_modules/');

let snapshots = 0;
process.on('SIGUSR2', async () => {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const file = join(folder, `${process.pid}-${snapshots}.json`);
  snapshots += 1;
  // A reader sees a whole file or none.
  writeFileSync(`${file}.part`, JSON.stringify(result.filter(({ url }) => isOurs(url))));
  renameSync(`${file}.part`, file);
});
