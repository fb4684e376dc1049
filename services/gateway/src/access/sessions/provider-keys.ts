import type { Clock, Logger } from '@stanza/runtime';
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { ProviderUnreachable } from './fetch-key-set.ts';

/** Milliseconds after which the keys are fetched again: the longest time for which a withdrawn key is accepted. */
const maxAgeMs = 5 * 60_000;
/** Milliseconds for which known keys are used while the provider is unreachable. */
const maxStaleMs = 24 * 3_600_000;
/** Milliseconds between two fetches for an unknown key, so that invented key ids do not load the provider. */
const searchPauseMs = 10_000;
/** Milliseconds of backoff after a failure. */
const failurePauseMs = 1_000;

/** The keys of one publication; a change makes a new object. */
export interface KeySet {
  /** Finds the key that signed a token. */
  readonly find: JWTVerifyGetKey;
}

interface Loaded {
  set: KeySet;
  /** Compared to detect a change. */
  text: string;
  at: number;
}

interface Dependencies {
  fetch: () => Promise<JSONWebKeySet>;
  clock: Clock;
  log: Logger;
}

/**
 * The published keys of the identity provider. They are fetched at the first use, refreshed in the background when they
 * are old, and fetched again, at limited intervals, for an unknown key. Known keys serve for a day while the provider
 * is unreachable.
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
   * The current keys.
   * @throws ProviderUnreachable while none are known
   */
  async current(): Promise<KeySet> {
    const age = this.#age();
    if (this.#loaded === undefined || age > maxStaleMs) return (await this.#load()).set;
    if (age > maxAgeMs && !this.#isPausing()) {
      // Runs in the background; the failure has been logged.
      this.#load().catch(() => undefined);
    }
    return this.#loaded.set;
  }

  /**
   * The keys that include the key of a token.
   * @throws JWKSNoMatchingKey when the provider does not publish it
   * @throws ProviderUnreachable when the provider could not be asked
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

  /** Fetches again for an unknown key, unless the last fetch is recent. */
  async #search(): Promise<KeySet> {
    if (this.#loading === undefined && this.#now() - this.#searchedAt < searchPauseMs) {
      if (this.#failure !== undefined) throw this.#failure.error;
      return this.current();
    }
    this.#searchedAt = this.#now();
    return (await this.#load()).set;
  }

  /** One fetch at a time; concurrent callers share it. */
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
      // Equal keys stay the same object: cached verifications stay valid.
      const set = known?.text === text ? known.set : { find: createLocalJWKSet(published) };
      this.#loaded = { set, text, at: this.#now() };
      this.#failure = undefined;
      return this.#loaded;
    } catch (error) {
      this.#failure = { error, at: this.#now() };
      log.warn({ err: error }, 'signing keys of the identity provider could not be fetched');
      throw error instanceof ProviderUnreachable ? error : new ProviderUnreachable('', { cause: error });
    }
  }
}
