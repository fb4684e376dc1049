import { cp, mkdir, readdir, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { projectRoot } from '@stanza/local/project';

const linkEntries = async (from: string, to: string, except: string): Promise<void> => {
  await mkdir(to, { recursive: true });
  for (const name of await readdir(from)) {
    if (name !== except) await symlink(join(from, name), join(to, name));
  }
};

/** Links the packages of the checkout by name, as npm does, so that they resolve to the copies. */
const linkPackages = async (root: string): Promise<void> => {
  await mkdir(join(root, 'node_modules/@stanza'));
  for (const group of ['services', 'shared', 'deploy']) {
    for (const name of await readdir(join(root, group))) {
      await symlink(join('../..', group, name), join(root, 'node_modules/@stanza', name));
      const own = join(projectRoot, group, name, 'node_modules');
      const there = await readdir(own).catch(() => []);
      if (there.length > 0) await symlink(own, join(root, group, name, 'node_modules'));
    }
  }
};

/**
 * Copies sources and builds of this checkout into an empty folder, so that a test can break them; what is installed is
 * linked.
 */
export const scratchCheckout = async (root: string): Promise<void> => {
  for (const group of ['services', 'shared', 'deploy']) {
    const filter = (from: string): boolean => basename(from) !== 'node_modules';
    await cp(join(projectRoot, group), join(root, group), { recursive: true, filter });
  }
  // The lock has the hash of a program that a start may have to fetch.
  for (const file of ['package.json', 'package-lock.json'])
    await cp(join(projectRoot, file), join(root, file));
  await linkEntries(join(projectRoot, 'node_modules'), join(root, 'node_modules'), '@stanza');
  await linkPackages(root);
};
