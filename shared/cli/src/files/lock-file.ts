import { join } from 'node:path';
import { CommandProblem } from '../problem.ts';
import { fileText, isObject } from './canonical.ts';
import { readJson, readText } from './read-json.ts';
import { checkWritable, writeAtomically } from './write-atomically.ts';

/** Where the base state stands: what files and the API agreed on last. */
export const lockFile = 'stanza.lock.json';

/** What a template, or another resource, was when its files and the API last agreed. */
export interface LockEntry {
  /** The hash of its metadata; empty where nothing was agreed on yet. */
  readonly about: string;
  /** The hash of its newest version, or of what the API does not show. */
  readonly content: string;
  /** The newest version; the resource itself where it has none. */
  readonly version_id: string;
  /** The live version; null where none was. */
  readonly live_version_id: string | null;
  /** The hash of what a push has begun to write in several requests, and has not ended. */
  readonly pushing?: string;
}

/** The entries of one environment: of templates by key, of other resources by folder and key. */
export type Lock = ReadonlyMap<string, LockEntry>;

const isEntry = (value: unknown): value is LockEntry => {
  const { about, content, version_id, live_version_id, pushing } = Object(value);
  return (
    typeof about === 'string' &&
    typeof content === 'string' &&
    typeof version_id === 'string' &&
    (live_version_id === null || typeof live_version_id === 'string') &&
    (pushing === undefined || typeof pushing === 'string')
  );
};

type Environments = Record<string, Record<string, LockEntry>>;

const readAll = async (folder: string): Promise<Environments> => {
  const file = join(folder, lockFile);
  const wrong = (why = `${file} is not as \`stanza\` writes it.`) =>
    new CommandProblem(
      why,
      'Take one whole side of a merge: what it does not know is shown as a conflict. Or delete it and run `stanza pull`.',
    );
  const read = await readJson(file).catch((error) => {
    throw error instanceof CommandProblem ? wrong(error.message) : error;
  });
  if (read === undefined) return {};
  if (!isObject(read)) throw wrong();
  return Object.fromEntries(
    Object.entries(read).map(([name, entries]): [string, Record<string, LockEntry>] => {
      if (!isObject(entries)) throw wrong();
      const sound = Object.entries(entries).map(([key, entry]): [string, LockEntry] => {
        if (!isEntry(entry)) throw wrong();
        return [key, entry];
      });
      return [name, Object.fromEntries(sound)];
    }),
  );
};

/** The base state of an environment. */
export const readLock = async (folder: string, environment: string): Promise<Lock> => {
  const all = await readAll(folder);
  return new Map(Object.entries(Object.hasOwn(all, environment) ? (all[environment] ?? {}) : {}));
};

const byName = ([one]: [string, unknown], [other]: [string, unknown]): number => (one < other ? -1 : 1);

/** Writes the base state of an environment; those of others stay. The same state makes the same file. */
export const writeLock = async (folder: string, environment: string, lock: Lock): Promise<void> => {
  const all = { ...(await readAll(folder)), [environment]: Object.fromEntries([...lock].sort(byName)) };
  const text = fileText(Object.fromEntries(Object.entries(all).sort(byName)));
  const file = join(folder, lockFile);
  if ((await readText(file)) !== text) await writeAtomically(file, text);
};

/** Refuses, before anything is changed elsewhere, a folder that takes no base state. */
export const checkLockWritable = async (folder: string): Promise<void> => {
  try {
    await checkWritable(join(folder, lockFile));
  } catch (error) {
    throw new CommandProblem(
      `${join(folder, lockFile)} cannot be written: ${Object(error).code}.`,
      'Nothing was changed. The command keeps there what files and API agree on: let it write to the folder.',
    );
  }
};
