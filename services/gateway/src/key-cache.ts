import { authenticateKey, CodedError, type Principal, type ReplyOf } from '@stanza/contracts';
import { type CallContext, type Clock, newContext } from '@stanza/runtime';
import { LRUCache } from 'lru-cache';

/** Milliseconds after which an entry is asked for again even if no invalidation came: the bound on a lost one. */
const maxAgeMs = 60_000;
/** Entries; at about 1 KB each the cache stays under 50 MB. */
const maxEntries = 50_000;

/** Asks the organization service who stands behind the digest of a key. */
export type FindKey = (digest: string, context: CallContext) => Promise<ReplyOf<typeof authenticateKey>>;

interface Entry {
  principal: Principal;
  expiresAt: number;
}

interface Lookup {
  found: Promise<Entry>;
  /** Organizations whose access changed while the answer was on its way. */
  changed: Set<string>;
  /** Everything may have changed while the answer was on its way. */
  forgotten: boolean;
}

/**
 * Principals by the digest of their key. An entry lives a minute at most and is dropped as soon as the access of
 * its organization changes; one that was being looked up meanwhile serves its own request and is not kept.
 */
export class KeyCache {
  readonly #findKey: FindKey;
  readonly #clock: Clock;
  readonly #entries: LRUCache<string, Entry>;
  readonly #lookups = new Map<string, Lookup>();

  constructor(findKey: FindKey, clock: Clock) {
    this.#findKey = findKey;
    this.#clock = clock;
    this.#entries = new LRUCache({ max: maxEntries, ttl: maxAgeMs, perf: { now: () => clock.monotonic() } });
  }

  /** The principal of a key; rejects with `invalid_token` for one that is unknown, revoked or expired. */
  async find(digest: string, context: CallContext): Promise<Principal> {
    const entry = this.#entries.get(digest) ?? (await this.#lookUp(digest, context));
    if (entry.expiresAt <= this.#clock.now().getTime()) {
      throw new CodedError('invalid_token', { message: 'The API key has expired; create a new one.' });
    }
    return entry.principal;
  }

  /** Drops what is known of an organization. */
  forget(organizationId: string): void {
    for (const lookup of this.#lookups.values()) lookup.changed.add(organizationId);
    for (const [digest, entry] of this.#entries.entries()) {
      if (entry.principal.organization_id === organizationId) this.#entries.delete(digest);
    }
  }

  /** Drops everything: invalidations may have been missed. */
  forgetAll(): void {
    for (const lookup of this.#lookups.values()) lookup.forgotten = true;
    this.#entries.clear();
  }

  /** Requests with the same key share one lookup, unless access changed since it began. */
  #lookUp(digest: string, context: CallContext): Promise<Entry> {
    const running = this.#lookups.get(digest);
    if (running && running.changed.size === 0 && !running.forgotten) return running.found;
    // Requests with more time may join this lookup, so it has its own; only the first one's name is lent to it.
    const own = newContext({ requestId: context.requestId, deadlineMs: authenticateKey.deadlineMs });
    const lookup: Lookup = { found: this.#fetch(digest, own), changed: new Set(), forgotten: false };
    this.#lookups.set(digest, lookup);
    const done = (entry?: Entry): void => {
      if (this.#lookups.get(digest) === lookup) this.#lookups.delete(digest);
      if (entry && !lookup.forgotten && !lookup.changed.has(entry.principal.organization_id)) {
        this.#entries.set(digest, entry);
      }
    };
    lookup.found.then(done, () => done());
    return lookup.found;
  }

  async #fetch(digest: string, context: CallContext): Promise<Entry> {
    const { principal, expires_at } = await this.#findKey(digest, context);
    return { principal, expiresAt: expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(expires_at) };
  }
}
