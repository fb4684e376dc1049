/**
 * A program: installs the packages of a folder that is no workspace, because few need them.
 * `node install-beside.mjs tests/bench 'Installing the peers of the bench'`
 */
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Advice } from './advice.mjs';
import { installIfNeeded } from './install.mjs';
import { underLock } from './setup-lock.mjs';

const root = resolve(fileURLToPath(new URL('.', import.meta.url)), '../../..');
const [folder, title] = process.argv.slice(2);

try {
  await underLock(join(root, '.stanza'), () => installIfNeeded(join(root, folder), { title }));
} catch (error) {
  if (!(error instanceof Advice)) throw error;
  console.error(`\n  ✗ ${error.message}\n    ${error.advice}\n`);
  process.exitCode = 1;
}
