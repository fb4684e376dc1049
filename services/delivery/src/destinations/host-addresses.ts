import { promises as dns, type LookupAddress } from 'node:dns';
import { setTimeout as pause } from 'node:timers/promises';
import { type Clock, systemClock, upTo } from '@stanza/runtime';
import { LRUCache } from 'lru-cache';
import type { Resolve } from './transport.ts';

/** Milliseconds for one question to a server, and how often it is asked. */
const questionMs = 2_000;
const tries = 2;
/** Once addresses of one family are known, milliseconds for those of the other. */
const otherFamilyMs = 250;
/** Milliseconds for which addresses are kept, whatever their records say, and for which a name counts as unknown. */
const shortestMs = 1_000;
const longestMs = 60_000;
const unknownMs = 5_000;
/** Names whose addresses are kept. */
const maxNames = 5_000;

/** What the resolver says of a name without addresses; everything else may be otherwise a moment later. */
const unknownCodes = new Set(['ENOTFOUND', 'ENODATA']);
/** With these the machine may know more than its name servers: they do not know the name, or there are none. */
const machineCodes = new Set([...unknownCodes, 'ECONNREFUSED']);
/** Milliseconds that a name waits for the machine, its turn among them. */
const machineMs = 2_000;
/** Names that wait for the machine; more are refused. */
const maxWaiting = 32;

const codeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined;

/** Addresses of a name, and for how long they are good. */
interface Answer {
  addresses: readonly LookupAddress[];
  keptMs: number;
}

/** What names are looked up with. */
export interface HostAddressesOptions {
  /** Name servers with ports; those of the machine unless given. */
  servers?: readonly string[];
  /**
   * Whether a name that no name server knows may be one of this machine, as in /etc/hosts or below a search domain.
   * Undefined: never.
   */
  isLocal?: (host: string) => boolean;
  /** Asks this machine; a test brings its own. */
  askMachine?: (host: string) => Promise<readonly LookupAddress[]>;
  /** Milliseconds that it has; 2,000 unless given. */
  machineMs?: number;
  clock?: Clock;
}

const askMachine = (host: string): Promise<readonly LookupAddress[]> => dns.lookup(host, { all: true });

/**
 * Finds the addresses of hosts without `getaddrinfo`: that runs on the few threads of the process, which also read files
 * and hash, and a name server that is silent holds one for as long as it likes. Here each question has a time limit and
 * waits without a thread. Answers are kept for as long as their records say, and questions for one name are joined.
 *
 * A name that only this machine knows is asked of the machine, one at a time and for two seconds at most.
 */
export class HostAddresses {
  readonly #options: HostAddressesOptions;
  readonly #resolver: dns.Resolver;
  readonly #kept: LRUCache<string, Answer['addresses']>;
  readonly #asked = new Map<string, Promise<Answer['addresses']>>();
  #machine: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(options: HostAddressesOptions = {}) {
    const { clock = systemClock, servers } = options;
    this.#options = options;
    this.#resolver = new dns.Resolver({ timeout: questionMs, tries, maxTimeout: questionMs });
    if (servers && servers.length > 0) this.#resolver.setServers(servers);
    this.#kept = new LRUCache({
      ...upTo(maxNames),
      perf: { now: () => clock.monotonic() },
      ttlResolution: 0,
    });
  }

  /** For the transport, which checks the addresses and connects to them alone. */
  readonly resolve: Resolve = (host, found) => {
    this.find(host).then(
      (addresses) => found(null, addresses),
      (error: unknown) => found(error instanceof Error ? error : new Error(String(error)), []),
    );
  };

  /**
   * The addresses of a host.
   * @throws what the resolver throws: `ENOTFOUND`, `ETIMEOUT` and the like as `code`
   */
  find(host: string): Promise<Answer['addresses']> {
    const kept = this.#kept.get(host);
    if (kept) return kept.length > 0 ? Promise.resolve(kept) : Promise.reject(unknownHost(host));
    const asked = this.#asked.get(host) ?? this.#askOnce(host);
    this.#asked.set(host, asked);
    return asked;
  }

  async #askOnce(host: string): Promise<Answer['addresses']> {
    try {
      const { addresses, keptMs } = await this.#ask(host);
      this.#kept.set(host, addresses, { ttl: Math.min(longestMs, Math.max(shortestMs, keptMs)) });
      return addresses;
    } catch (error) {
      if (unknownCodes.has(String(codeOf(error)))) this.#kept.set(host, [], { ttl: unknownMs });
      throw error;
    } finally {
      this.#asked.delete(host);
    }
  }

  async #ask(host: string): Promise<Answer> {
    const { isLocal } = this.#options;
    try {
      return await this.#askServers(host);
    } catch (error) {
      const mayBeLocal = machineCodes.has(String(codeOf(error))) && isLocal?.(host) === true;
      if (!mayBeLocal || this.#waiting >= maxWaiting) throw error;
      return { addresses: await this.#askMachine(host), keptMs: unknownMs };
    }
  }

  async #askServers(host: string): Promise<Answer> {
    const four = this.#resolver.resolve4(host, { ttl: true }).then((records) => answerOf(records, 4));
    const six = this.#resolver.resolve6(host, { ttl: true }).then((records) => answerOf(records, 6));
    const first = await Promise.any([four, six]).catch((error: unknown) => {
      // The error of one family is as good as that of the other, but a server that does not answer is no unknown name.
      const errors: unknown[] = error instanceof AggregateError ? error.errors : [error];
      throw errors.find((it) => !unknownCodes.has(String(codeOf(it)))) ?? errors[0];
    });
    const late = pause(otherFamilyMs, undefined, { ref: false });
    const both = await Promise.all(
      [four, six].map((family) => Promise.race([family.catch(() => undefined), late])),
    );
    const answers = both.filter((it) => it !== undefined);
    return {
      addresses: answers.length > 0 ? answers.flatMap((it) => it.addresses) : first.addresses,
      keptMs: Math.min(first.keptMs, ...answers.map((it) => it.keptMs)),
    };
  }

  /**
   * One at a time, so that a slow answer takes one of the threads and no more. A lookup that has begun cannot be ended:
   * the thread stays with it, and the names behind it are given up when their time is over.
   */
  async #askMachine(host: string): Promise<Answer['addresses']> {
    const { askMachine: ask = askMachine, machineMs: ms = machineMs } = this.#options;
    let isAwaited = true;
    this.#waiting += 1;
    const asked = this.#machine
      .then(() => (isAwaited ? ask(host) : []))
      .finally(() => {
        this.#waiting -= 1;
      });
    this.#machine = asked.catch(() => undefined);
    const answered = new AbortController();
    const late = pause(ms, undefined, { ref: false, signal: answered.signal }).then(() => {
      isAwaited = false;
      throw silentMachine(host, ms);
    });
    // It also rejects once it is not needed.
    late.catch(() => undefined);
    try {
      return await Promise.race([asked, late]);
    } finally {
      answered.abort();
    }
  }
}

const answerOf = (records: readonly { address: string; ttl: number }[], family: 4 | 6): Answer => ({
  addresses: records.map(({ address }) => ({ address, family })),
  keptMs: Math.min(...records.map(({ ttl }) => ttl * 1_000)),
});

const unknownHost = (host: string): Error =>
  Object.assign(new Error(`the name ${host} has no address`), { code: 'ENOTFOUND' });

const silentMachine = (host: string, ms: number): Error =>
  Object.assign(new Error(`this machine has not told the addresses of ${host} within ${ms} ms`), {
    code: 'ETIMEOUT',
  });
