import type { Clock, Database } from '@stanza/runtime';
import { LRUCache } from 'lru-cache';
import { forgetAssets, keepAssets, listAssets, readAsset } from '../store/console-assets.ts';

/** Milliseconds between two looks at what is kept, however many unknown paths are asked for. */
const lookMs = 1_000;
/** Bytes of the files of other versions in memory: a build takes about two million. */
const maxBytes = 16 * 1024 * 1024;

/**
 * The files of the console's builds of all versions. While a release is rolled out, a page of one version asks gateways of
 * the other for its files; each gateway keeps its own where the others find them.
 */
export class SharedAssets {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #own: ReadonlyMap<string, Buffer>;
  readonly #contents = new LRUCache<string, Buffer>({
    maxSize: maxBytes,
    sizeCalculation: (content) => Math.max(1, content.length),
  });
  #paths: ReadonlySet<string> = new Set();
  #lookedAt = Number.NEGATIVE_INFINITY;
  #looking: Promise<void> = Promise.resolve();

  /** @param own the files of this gateway, by path */
  constructor(dependencies: { database: Database; clock: Clock }, own: ReadonlyMap<string, Buffer>) {
    this.#database = dependencies.database;
    this.#clock = dependencies.clock;
    this.#own = own;
  }

  /** Keeps the files of this gateway for the others, and deletes those that no gateway has kept for two weeks. */
  async keep(): Promise<void> {
    await keepAssets(this.#database, this.#own);
    await forgetAssets(this.#database);
  }

  /** The content of a file of another version; undefined when no version has it. */
  async find(path: string): Promise<Buffer | undefined> {
    const known = this.#contents.get(path);
    if (known !== undefined) return known;
    if (!this.#paths.has(path)) await this.#look();
    if (!this.#paths.has(path)) return undefined;
    const content = await readAsset(this.#database, path);
    if (content !== undefined) this.#contents.set(path, content);
    return content;
  }

  /** Asked for one path or a thousand that nobody has, it reads the list once a second. */
  #look(): Promise<void> {
    const now = this.#clock.monotonic();
    if (now - this.#lookedAt < lookMs) return this.#looking;
    this.#lookedAt = now;
    this.#looking = listAssets(this.#database).then((paths) => {
      this.#paths = paths;
    });
    return this.#looking;
  }
}
