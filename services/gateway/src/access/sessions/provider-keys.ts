import type { Clock, Logger } from '@stanza/runtime';
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { ProviderUnreachable } from './fetch-key-set.ts';

/** Milliseconds after which the keys are asked for again: as long as a key that was withdrawn is taken for good. */
const maxAgeMs = 5 * 60_000;
/** Milliseconds for which known keys are used while the provider cannot be reached. */
const maxStaleMs = 24 * 3_600_000;
/** Milliseconds between two searches for a key that is not known, so that made-up names cost the provider nothing. */
const searchPauseMs = 10_000;
/** Milliseconds after a failure in which the provider is left alone. */
const failurePauseMs = 1_000;

/** Keys as they were published at one time; another object as soon as they differ. */
export interface KeySet {
  /** Finds the key that signed a token. */
  readonly find: JWTVerifyGetKey;
}

interface Loaded {
  set: KeySet;
  /** To tell whether a later one differs. */
  text: string;
  at: number;
}

interface Dependencies {
  fetch: () => Promise<JSONWebKeySet>;
  clock: Clock;
  log: Logger;
}

/**
 * The published keys of the identity provider. They are fetched when they are first needed, again in the background
 * when they are old, and once more, with a pause, for a key that is not among them. What is known goes on serving for
 * a day while the provider is away.
 */
export class ProviderKeys {
  readonly #dependencies: Dependencies;
  #loaded: Loaded | undefined;
  #loading: Promise<Loaded> | undefined;
  #failure: { error: unknown; at: number } | undefined;
  #searchedAt = Number.NEGATIVE_INFINITY;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * The keys as they are known now.
   * @throws ProviderUnreachable while none are
   */
  async current(): Promise<KeySet> {
    const age = this.#age();
    if (this.#loaded === undefined || age > maxStaleMs) return (await this.#load()).set;
    if (age > maxAgeMs && !this.#isPausing()) {
      // Nobody waits for it, and the failure has been logged.
      this.#load().catch(() => undefined);
    }
    return this.#loaded.set;
  }

  /**
   * The keys among which the one of a token is.
   * @throws JWKSNoMatchingKey when the provider does not publish it
   * @throws ProviderUnreachable when that cannot be known
   */
  async holding(...[header, token]: Parameters<JWTVerifyGetKey>): Promise<KeySet> {
    const known = await this.current();
    try {
      await known.find(header, token);
      return known;
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      const newer = await this.#search();
      await newer.find(header, token);
      return newer;
    }
  }

  #now(): number {
    return this.#dependencies.clock.monotonic();
  }

  #age(): number {
    return this.#loaded === undefined ? Number.POSITIVE_INFINITY : this.#now() - this.#loaded.at;
  }

  #isPausing(): boolean {
    return this.#failure !== undefined && this.#now() - this.#failure.at < failurePauseMs;
  }

  /** Looks once more, unless that was done a moment ago. */
  async #search(): Promise<KeySet> {
    if (this.#loading === undefined && this.#now() - this.#searchedAt < searchPauseMs) {
      if (this.#failure !== undefined) throw this.#failure.error;
      return this.current();
    }
    this.#searchedAt = this.#now();
    return (await this.#load()).set;
  }

  /** One at a time; whoever comes meanwhile waits for the same. */
  #load(): Promise<Loaded> {
    if (this.#failure !== undefined && this.#isPausing()) return Promise.reject(this.#failure.error);
    this.#loading ??= this.#fetch().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  async #fetch(): Promise<Loaded> {
    const { fetch, log } = this.#dependencies;
    try {
      const published = await fetch();
      const text = JSON.stringify(published);
      const known = this.#loaded;
      // The same keys stay the same object: what was verified with them holds.
      const set = known?.text === text ? known.set : { find: createLocalJWKSet(published) };
      this.#loaded = { set, text, at: this.#now() };
      this.#failure = undefined;
      return this.#loaded;
    } catch (error) {
      this.#failure = { error, at: this.#now() };
      log.warn({ err: error }, 'the keys of the identity provider cannot be had');
      throw error instanceof ProviderUnreachable ? error : new ProviderUnreachable('', { cause: error });
    }
  }
}
