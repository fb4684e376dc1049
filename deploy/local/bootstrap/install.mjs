import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Advice } from './advice.mjs';
import { runQuietly } from './run-quietly.mjs';

const readJson = (file) => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw error;
  }
};

const stampOf = (lockText) => ({
  lock: createHash('sha256').update(lockText).digest('hex'),
  platform: process.platform,
  arch: process.arch,
});

const stampFile = (root) => join(root, 'node_modules/.stanza-install.json');

const sameStamp = (a, b) => a?.lock === b.lock && a?.platform === b.platform && a?.arch === b.arch;

/** Whether an optional package is one of this platform; what names no platform comes along with others. */
const isForHere = ({ os, cpu, libc }) =>
  os?.includes(process.platform) === true && cpu?.includes(process.arch) === true && libc === undefined;

/**
 * Whether `node_modules` is what the lock says: npm's own record, which it writes as its last act, names the same
 * versions, and every package is there. A package that npm may leave out counts only where no install of this lock
 * has been finished on this kind of machine.
 */
const isInstalled = (root, lock, finishedHere) => {
  const record = readJson(join(root, 'node_modules/.package-lock.json'))?.packages;
  if (record === undefined) return false;
  return Object.entries(lock.packages).every(([path, entry]) => {
    if (!path.startsWith('node_modules/') && !path.includes('/node_modules/')) return true;
    if (entry.link) return existsSync(join(root, path));
    const mayLack = entry.optional === true || entry.devOptional === true || entry.peer === true;
    if (mayLack && (finishedHere || !isForHere(entry))) return true;
    return record[path]?.version === entry.version && existsSync(join(root, path, 'package.json'));
  });
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

/**
 * Installs what the lock says, where `node_modules` is missing, incomplete, of another lock or of another machine.
 * @param {string} root the checkout, or a folder of it with a lock of its own
 * @param {string} title what a person sees
 * @returns {Promise<boolean>} whether it installed anything
 */
export const installIfNeeded = async (root, title = 'Installing packages') => {
  const lockText = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const stamp = stampOf(lockText);
  const finishedHere = sameStamp(readJson(stampFile(root)), stamp);
  const writeStamp = () => writeFileSync(stampFile(root), JSON.stringify(stamp));
  if (isInstalled(root, JSON.parse(lockText), finishedHere)) {
    if (!finishedHere) writeStamp();
    return false;
  }
  // Said here too: a setting of the user's own goes before that of .npmrc, and no package needs its script.
  const words = ['ci', '--ignore-scripts', '--include=dev', '--include=optional', '--no-audit', '--no-fund'];
  const [command, args] = npm(words);
  const { ok, output } = await runQuietly(title, command, args, { cwd: root });
  if (!ok) throw new Advice(`npm ci failed:\n${lastLines(output, 12)}`, adviceFor(output));
  writeStamp();
  return true;
};
