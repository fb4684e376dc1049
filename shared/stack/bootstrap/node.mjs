import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Advice } from './advice.mjs';

const oldest = { major: 22, minor: 18 };

const isRecent = (version) => {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  return major > oldest.major || (major === oldest.major && minor >= oldest.minor);
};

const platformNames = { linux: 'linux', win32: 'win', darwin: 'darwin' };

/**
 * The Node that everything runs under: the one npm installed, where there is one for this machine and it runs, else
 * this one, if it is recent enough.
 * @param {string} root the checkout
 * @returns {string} path of the program
 */
export const findNode = (root) => {
  const name = `node-${platformNames[process.platform] ?? process.platform}-${process.arch}`;
  const program = join(root, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (process.execPath === program) return program;
  if (existsSync(program) && spawnSync(program, ['--version']).status === 0) return program;
  if (isRecent(process.version)) return process.execPath;
  throw new Advice(
    `There is no Node 24 among the packages for ${process.platform} ${process.arch}, and this Node is ${process.version}.`,
    `Install Node 24 (at least ${oldest.major}.${oldest.minor}) and run the command again.`,
  );
};
