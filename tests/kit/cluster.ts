import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { stackDirectory } from '@stanza/local/directory';
import { codeOf } from '@stanza/local/failure';
import { findPostgres } from '@stanza/local/postgres/binaries';
import { preparePostgres } from '@stanza/local/postgres/start';
import { projectRoot } from '@stanza/local/project';
import { newSecrets } from '@stanza/local/secrets';

/** The superuser's password in a cluster of {@link placeCluster}. */
export const clusterPassword = 'secret';

/** Where empty clusters are kept, by the version of Postgres. */
const kept = join(projectRoot, 'node_modules/.cache/stanza-clusters');

const run = promisify(execFile);

/** Several test files may make it at once: each makes its own, and the first to move it is kept. */
const makeCluster = async (place: string): Promise<void> => {
  await mkdir(kept, { recursive: true });
  const draft = await mkdtemp(`${place}-`);
  try {
    await preparePostgres({
      folder: draft,
      logFile: join(draft, 'postgres.log'),
      port: 0,
      password: clusterPassword,
    });
    await rename(draft, place);
  } catch (error) {
    if (codeOf(error) !== 'ENOTEMPTY' && codeOf(error) !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
};

/**
 * Puts an empty cluster into a folder, where a Postgres or a stack of a test then finds it. A copy takes a tenth of what
 * `initdb` does, which is a second of CPU. Does nothing where a cluster cannot be in the folder: Postgres makes its own.
 */
export const placeCluster = async (folder: string): Promise<void> => {
  if (process.platform === 'win32') return;
  const { version } = await findPostgres();
  const place = join(kept, version);
  if (!existsSync(place)) await makeCluster(place);
  const data = join(place, 'postgres');
  if (existsSync(data)) await run('cp', ['-a', data, join(folder, 'postgres')]);
};

/** Puts an empty cluster into the folder of a stack that has not been started yet, with secrets that fit it. */
export const placeClusterOfStack = async (folder: string): Promise<void> => {
  await placeCluster(folder);
  const secrets = { ...newSecrets(), postgres: clusterPassword };
  await writeFile(stackDirectory(folder).secrets, JSON.stringify(secrets), { mode: 0o600 });
};
