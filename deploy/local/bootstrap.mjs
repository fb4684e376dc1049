/**
 * What every npm command of the checkout runs first. Plain JavaScript for Node 18 and newer, without a dependency,
 * because nothing may be installed yet: it installs, finds Node 24, builds, and hands over to dist/cli.js
 * or to the runner of the tests.
 */
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Advice } from './bootstrap/advice.mjs';
import { build } from './bootstrap/build.mjs';
import { handOver, packagesOf } from './bootstrap/hand-over.mjs';
import { asksForHelp, canExplain, shortHelp } from './bootstrap/help.mjs';
import { installIfNeeded } from './bootstrap/install.mjs';
import { findNode } from './bootstrap/node.mjs';
import { underLock } from './bootstrap/setup-lock.mjs';

const root = resolve(fileURLToPath(new URL('.', import.meta.url)), '../..');

const args = process.argv.slice(2);

/** The commands of people who change the sources, which refuse wrong types. */
const typed = ['dev', 'test'];

/** Without `--` before them npm takes options for its own, and leaves them in the environment. */
const isLost = (option) =>
  Boolean(process.env[`npm_config_${option}`]) ||
  // Npm reads `--small` as its own -s, -m, -a and -l.
  (option === 'small' && process.env.npm_config_all === 'true' && process.env.npm_config_long === 'true');

const refuseLostOptions = () => {
  const lost = ['port', 'fresh', 'detach', 'small', 'timings', 'stop'].find(isLost);
  if (lost === undefined || !['start', 'dev'].includes(args[0] ?? '')) return;
  const command = args[0] === 'start' ? 'npm start' : 'npm run dev';
  const advice = lost === 'stop' ? '"npm stop" stops a stack.' : `Write "${command} -- --${lost}".`;
  throw new Advice(`npm took --${lost} for an option of its own.`, advice);
};

/** Installs and builds what has changed, and finds the Node to run under. */
const setUp = () =>
  underLock(join(root, '.stanza'), async () => {
    const everything = await installIfNeeded(root, { part: packagesOf(args[0]) });
    const found = findNode(root);
    await build(root, found, { everything, types: typed.includes(args[0]) });
    return found;
  });

try {
  refuseLostOptions();
  if (!asksForHelp(args)) process.exitCode = await handOver(root, await setUp(), args);
  else if (canExplain(root, args[0])) process.exitCode = await handOver(root, findNode(root), args);
  else console.log(shortHelp);
} catch (error) {
  if (!(error instanceof Advice)) throw error;
  console.error(`\n  ✗ ${error.message}\n    ${error.advice}\n`);
  if (process.argv[2] === 'test') console.log('0 passed, 1 failed');
  process.exitCode = 1;
}
