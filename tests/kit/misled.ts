import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { ServiceName } from '@stanza/contracts';
import { root } from '../docs/markdown.ts';
import { limits } from './limits.ts';
import { waitFor } from './wait.ts';

/** Runs a service with settings that lead nowhere until it has said `words`, and answers all that it said. */
export const misled = async (
  service: ServiceName,
  env: Record<string, string>,
  words: string,
): Promise<string> => {
  const main = join(root, 'services', service, 'dist/main.js');
  const child = spawn(process.execPath, ['--enable-source-maps', main], {
    env: { PATH: process.env.PATH, STANZA_METRICS_PORT: '0', STANZA_METRICS_HOST: '127.0.0.1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      said += String(chunk);
    });
  const closed = once(child, 'close');
  try {
    await waitFor(
      `"${words}" of ${service}`,
      () => said.includes(words) || (child.exitCode !== null && said !== ''),
      limits.conditionMs,
    );
  } finally {
    child.kill('SIGKILL');
    await closed;
  }
  return said;
};
