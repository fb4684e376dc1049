import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The registry that npm is set to ask for a package. */
const registryOf = (name, settings) => settings[`${name.split('/')[0]}:registry`] ?? settings.registry;

/** Writes into the lock's packages where their archives are in the user's registry. */
const address = (packages, settings) => {
  for (const [path, entry] of Object.entries(packages)) {
    const name = entry.name ?? path.split('node_modules/').at(-1);
    // What the lock has a hash of comes from a registry, and may come from npm's cache unasked.
    if (entry.integrity === undefined) continue;
    const folder = new URL(`${name}/-/`, registryOf(name, settings).replace(/\/*$/, '/'));
    entry.resolved ??= `${folder}${name.split('/').at(-1)}-${entry.version}.tgz`;
  }
};

/**
 * Runs `work` while npm finds a lock that says where each archive is. The project's own lock names no registry, so that
 * npm asks the user's one for every package. npm reads `npm-shrinkwrap.json` in place of `package-lock.json`.
 * @template T
 * @param {string} root the folder of the lock
 * @param {[string, string[]]} npm `npm config list --json`
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export const knowingArchives = async (root, [command, args], work) => {
  const file = join(root, 'npm-shrinkwrap.json');
  const { status, stdout } = spawnSync(command, args, { cwd: root, encoding: 'utf8' });
  const settings = status === 0 ? JSON.parse(stdout) : {};
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  try {
    if (settings.registry) {
      address(lock.packages, settings);
      writeFileSync(file, JSON.stringify(lock));
    }
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
};
