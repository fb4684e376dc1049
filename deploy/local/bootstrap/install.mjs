import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Advice } from './advice.mjs';
import { knowingArchives } from './archives.mjs';
import { readJson } from './read-json.mjs';
import { runQuietly } from './run-quietly.mjs';

const stampOf = (lockText) => ({
  lock: createHash('sha256').update(lockText).digest('hex'),
  platform: process.platform,
  arch: process.arch,
});

const stampFile = (root) => join(root, 'node_modules/.stanza-install.json');

const sameStamp = (a, b) => a?.lock === b.lock && a?.platform === b.platform && a?.arch === b.arch;

/** npm's own record of what is installed, which it writes as its last act. */
const recordOf = (root) => readJson(join(root, 'node_modules/.package-lock.json'))?.packages;

const isPackage = (path) => path.startsWith('node_modules/') || path.includes('/node_modules/');

const isThere = (root, path, { link }) =>
  existsSync(link ? join(root, path) : join(root, path, 'package.json'));

/** Whether an optional package is one of this platform; what names no platform comes along with others. */
const isForHere = ({ os, cpu, libc }) =>
  os?.includes(process.platform) === true && cpu?.includes(process.arch) === true && libc === undefined;

/**
 * Whether `node_modules` is what the lock says: npm's record names the same versions, and every package is there. A
 * package that npm may leave out counts only where no install of this lock has been finished on this kind of machine.
 */
const isWhole = (root, lock, finishedHere) => {
  const record = recordOf(root);
  if (record === undefined) return false;
  return Object.entries(lock.packages).every(([path, entry]) => {
    if (!isPackage(path)) return true;
    const mayLack = entry.optional === true || entry.devOptional === true || entry.peer === true;
    if (mayLack && !entry.link && (finishedHere || !isForHere(entry))) return true;
    return (entry.link || record[path]?.version === entry.version) && isThere(root, path, entry);
  });
};

/** Whether all that npm has installed is of the lock, and still there. */
const isIntact = (root, lock) => {
  const record = recordOf(root);
  if (record === undefined) return false;
  return Object.entries(record).every(
    ([path, entry]) =>
      !isPackage(path) || (lock.packages[path]?.version === entry.version && isThere(root, path, entry)),
  );
};

/**
 * Which packages of the lock are installed.
 * @param {'all' | 'product' | undefined} finished what an install of this lock on this kind of machine has finished with
 * @returns {'all' | 'product' | 'none'}
 */
const installedPart = (root, lock, finished) => {
  if (isWhole(root, lock, finished === 'all')) return 'all';
  return finished === 'product' && isIntact(root, lock) ? 'product' : 'none';
};

const adviceFor = (output) => {
  if (/EUSAGE|in sync/.test(output))
    return 'package.json and package-lock.json disagree: run "npm install", and commit the lock.';
  if (/EACCES|EPERM|EROFS/.test(output))
    return 'Make the checkout writable for your user (an earlier install as root may own node_modules).';
  if (/ENOSPC/.test(output)) return 'Free some disk space: about 500 MB are needed.';
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|network/i.test(output)) {
    return 'The package registry could not be reached: check the network, or the proxy and registry settings of npm.';
  }
  return 'Run "npm ci" to see all it says.';
};

/** npm as it was started, else that of the path. */
const npm = (args) => {
  const cli = process.env.npm_execpath;
  if (cli?.endsWith('.js')) return [process.execPath, [cli, ...args]];
  return [process.platform === 'win32' ? 'npm.cmd' : 'npm', args];
};

const lastLines = (text, count) =>
  text
    .split('\n')
    .slice(-count)
    .map((line) => `    ${line}`)
    .join('\n');

// Said here too: a setting of the user's own goes before that of .npmrc, and no package needs its script.
const always = ['--ignore-scripts', '--include=dev', '--include=optional', '--no-audit', '--no-fund'];

/** The workspaces declare what the product runs and is built with, the root what checks it. */
const wordsFor = {
  all: ['ci', ...always],
  product: ['ci', '--workspaces', '--include-workspace-root=false', ...always],
};

/** Adds what is missing and removes nothing, since a stack may run from what is there. */
const adding = ['install', '--no-save', ...always];

/**
 * Installs what the lock says, where `node_modules` is missing, incomplete, of another lock or of another machine.
 * @param {string} root the checkout, or a folder of it with a lock of its own
 * @param {{ title?: string, part?: 'all' | 'product' }} what what a person sees, and which packages are needed: those
 * that the product runs and is built with, or those of tests and checks as well
 * @returns {Promise<boolean>} whether it installed anything
 */
export const installIfNeeded = async (root, { title = 'Installing packages', part = 'all' } = {}) => {
  const lockText = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const lock = JSON.parse(lockText);
  const stamp = stampOf(lockText);
  const last = readJson(stampFile(root));
  const writeStamp = (of) => writeFileSync(stampFile(root), JSON.stringify({ ...stamp, part: of }));
  const finished = sameStamp(last, stamp) ? last.part : undefined;
  const there = installedPart(root, lock, finished);
  if (there === 'all' && finished !== 'all') writeStamp('all');
  if (there === 'all' || there === part) return false;
  // A whole install of an earlier lock stays whole, and so does one by hand.
  const wanted = recordOf(root) !== undefined && last?.part !== 'product' ? 'all' : part;
  const run = async (words) => {
    const [command, args] = npm(words);
    const once = () => runQuietly(title, command, args, { cwd: root });
    let { ok, output } = await knowingArchives(root, npm(['config', 'list', '--json']), once);
    // A registry that has its archives elsewhere than most is asked for each.
    if (!ok && /\bE40\d\b/.test(output)) ({ ok, output } = await once());
    if (!ok) throw new Advice(`npm ${words[0]} failed:\n${lastLines(output, 12)}`, adviceFor(output));
  };
  if (there === 'product') await run(adding);
  if (there === 'none' || !isWhole(root, lock, true)) await run(wordsFor[wanted]);
  writeStamp(wanted);
  return true;
};
