import { type FSWatcher, globSync, readdirSync, statSync, watch } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { codeOf } from '../failure.ts';

/** Files that changed together. */
export interface Change {
  /** Relative to the checkout, with `/` between the parts. */
  paths: string[];
  /** When the first of them was noticed, on the clock of `performance`. */
  since: number;
}

/**
 * Changes within this time count as one, milliseconds: editors write a file several times, and a checkout changes
 * hundreds.
 */
const quietMs = 60;

const isDirectory = (path: string): boolean => {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
};

/**
 * Watches the folders `src` of all packages, one watcher a folder: a watcher of a file loses it when an editor saves
 * by renaming.
 */
export class SourceWatch {
  #root: string;
  #onChange: (change: Change) => void;
  #watchers = new Map<string, FSWatcher>();
  #paths = new Set<string>();
  #since = 0;
  #quiet: NodeJS.Timeout | undefined;

  constructor(root: string, onChange: (change: Change) => void) {
    this.#root = root;
    this.#onChange = onChange;
    for (const folder of globSync('{services,shared,deploy}/*/src', { cwd: root }))
      this.#add(join(root, folder));
  }

  /** Stops watching; no further changes are reported. */
  close(): void {
    clearTimeout(this.#quiet);
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  #add(folder: string): void {
    if (this.#watchers.has(folder)) return;
    const watcher = watch(folder, (event, name) => {
      if (name !== null) this.#note(event, join(folder, name));
    });
    // A folder that is deleted takes its watcher with it.
    watcher.on('error', () => this.#remove(folder));
    this.#watchers.set(folder, watcher);
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory()) this.#add(join(folder, entry.name));
    }
  }

  /** Forgets a folder and all below it. */
  #remove(folder: string): void {
    for (const [watched, watcher] of this.#watchers) {
      if (watched !== folder && !watched.startsWith(join(folder, sep))) continue;
      watcher.close();
      this.#watchers.delete(watched);
    }
  }

  #note(event: string, path: string): void {
    const isFolder = isDirectory(path);
    // A new folder of the same name is not seen by the old watcher.
    if (event === 'rename') this.#remove(path);
    if (!isFolder) this.#changed(path);
    else if (event === 'rename') this.#addNew(path);
  }

  /** The files of a new folder may have been written before it was watched. */
  #addNew(folder: string): void {
    this.#add(folder);
    for (const file of globSync('**/*.ts', { cwd: folder })) this.#changed(join(folder, file));
  }

  #changed(path: string): void {
    if (this.#paths.size === 0) this.#since = performance.now();
    this.#paths.add(relative(this.#root, path).replaceAll('\\', '/'));
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => this.#report(), quietMs);
  }

  #report(): void {
    const change = { paths: [...this.#paths], since: this.#since };
    this.#paths.clear();
    this.#onChange(change);
  }
}
