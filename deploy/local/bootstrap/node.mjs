import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Advice } from './advice.mjs';

/**
 * What the packages can run on, as pairs of major version and its first minor version: typeorm leaves out 23 and 24.0
 * to 24.10.
 */
const supported = new Map([
  [22, 22],
  [24, 11],
]);
const newest = Math.max(...supported.keys());

const isSupported = (version) => {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  if (major > newest) return true;
  const first = supported.get(major);
  return first !== undefined && minor >= first;
};

const platformNames = { linux: 'linux', win32: 'win', darwin: 'darwin' };

/**
 * The Node that everything runs under: the one npm installed, where there is one for this machine and it runs, else
 * this one, if the packages can run on it.
 * @param {string} root the checkout
 * @returns {string} path of the program
 */
export const findNode = (root) => {
  const name = `node-${platformNames[process.platform] ?? process.platform}-${process.arch}`;
  const program = join(root, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (process.execPath === program) return program;
  if (existsSync(program) && spawnSync(program, ['--version']).status === 0) return program;
  if (isSupported(process.version)) return process.execPath;
  throw new Advice(
    `There is no Node 24 among the packages for ${process.platform} ${process.arch}, and this Node is ${process.version}.`,
    'Install Node 24 (24.11 or newer) and run the command again.',
  );
};
