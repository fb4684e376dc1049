import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');

/** A folder of somebody who knows nothing of this checkout, with the packages as a release has them. */
export interface StrangersFolder extends AsyncDisposable {
  readonly path: string;
  /** The files of the SDK. */
  readonly files: readonly string[];
  /** The files of the command. */
  readonly commandFiles: readonly string[];
}

/** Packs the SDK and the command and installs them into an empty folder, without a network. */
export const installPackages = async (): Promise<StrangersFolder> => {
  const path = await mkdtemp(join(tmpdir(), 'stanza-stranger-'));
  const remove = () => rm(path, { recursive: true, force: true });
  try {
    await run(process.execPath, [join(root, 'shared/cli/build/bundle.ts')]);
    const workspaces = ['@stanza/sdk', '@stanza/cli'].flatMap((name) => ['--workspace', name]);
    await run('npm', ['pack', '--pack-destination', path, ...workspaces], { cwd: root });
    const archives = globSync('stanza-*.tgz', { cwd: path }).map((archive) => `./${archive}`);
    await writeFile(join(path, 'package.json'), '{ "type": "module", "private": true }');
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', ...archives], { cwd: path });
    const filesOf = (name: string) => globSync(`node_modules/@stanza/${name}/**`, { cwd: path });
    return { path, files: filesOf('sdk'), commandFiles: filesOf('cli'), [Symbol.asyncDispose]: remove };
  } catch (error) {
    await remove();
    throw error;
  }
};
