import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A folder of someone who knows nothing of this checkout, with the packages that a gateway serves. */
export interface StrangersFolder extends AsyncDisposable {
  readonly path: string;
  /** The files of the SDK. */
  readonly files: readonly string[];
  /** The files of the command. */
  readonly commandFiles: readonly string[];
}

/** Installs the SDK and the command from a running gateway into an empty folder. */
export const installPackages = async (gateway: string): Promise<StrangersFolder> => {
  const path = await mkdtemp(join(tmpdir(), 'stanza-stranger-'));
  const remove = () => rm(path, { recursive: true, force: true });
  try {
    await writeFile(join(path, 'package.json'), '{ "type": "module", "private": true }');
    const archives = ['sdk', 'cli'].map((name) => `${gateway}/downloads/stanza-${name}.tgz`);
    await run('npm', ['install', '--no-audit', '--no-fund', ...archives], { cwd: path });
    const filesOf = (name: string) => globSync(`node_modules/@stanza/${name}/**`, { cwd: path });
    return { path, files: filesOf('sdk'), commandFiles: filesOf('cli'), [Symbol.asyncDispose]: remove };
  } catch (error) {
    await remove();
    throw error;
  }
};
