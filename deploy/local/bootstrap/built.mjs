import { createHash } from 'node:crypto';
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readJson } from './read-json.mjs';

const recordOf = (root) => join(root, '.stanza/built.json');

/** Goes through the checkout but for what is installed; an editor's and git's own folders begin with a dot. */
const look = (root, folder, found) => {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.name.startsWith('.') || entry.name === 'node_modules' || entry.name === '__pycache__') continue;
    if (!entry.isDirectory()) found.files.push(path);
    else if (entry.name === 'dist') found.outputs.push(path);
    else look(root, path, found);
  }
  return found;
};

const filesAndOutputs = (root) => look(root, '', { files: [], outputs: [] });

/**
 * What a build depends on: every file by name, size and time, and the Node that builds. Reading them takes a tenth of
 * what the compiler and the bundlers need to find that nothing has changed.
 * @param {string} root the checkout
 * @param {string} node path of that Node
 */
export const sourcesOf = (root, node) => {
  const hash = createHash('sha256').update(node);
  for (const file of filesAndOutputs(root).files) {
    const found = statSync(join(root, file), { throwIfNoEntry: false });
    hash.update(`${file}\n${found?.mtimeMs} ${found?.size}\n`);
  }
  return hash.digest('hex');
};

/**
 * Whether the last build was made from these sources, and what it has written is there.
 * @param {string} root the checkout
 * @param {string} sources by `sourcesOf`
 * @param {boolean} types whether the types are to be checked as well
 */
export const isBuilt = (root, sources, types) => {
  const last = readJson(recordOf(root));
  if (last?.sources !== sources || (types && !last.types)) return false;
  return last.outputs.every((output) => existsSync(join(root, output)));
};

/** A build that is interrupted leaves no record. */
export const forgetBuilt = (root) => rmSync(recordOf(root), { force: true });

/** Remembers a finished build, made from the sources as they were when it began. */
export const rememberBuilt = (root, sources, types) =>
  writeFileSync(recordOf(root), JSON.stringify({ sources, types, outputs: filesAndOutputs(root).outputs }));
