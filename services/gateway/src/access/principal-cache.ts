import {
  type AddressRange,
  CodedError,
  defaultDeadlineMs,
  type Principal,
  parseAddressRange,
} from '@stanza/contracts';
import { type CallContext, type Clock, newContext } from '@stanza/runtime';
import { LRUCache } from 'lru-cache';

/** Milliseconds after which an entry is asked for again even if no invalidation came: the bound on a lost one. */
const maxAgeMs = 60_000;
/** Entries; at about 1 KB each the cache stays under 50 MB. */
const maxEntries = 50_000;

/** Who stands behind a credential, and until when it is good where it ends by itself. */
export interface FoundPrincipal {
  principal: Principal;
  expires_at?: string | null;
  /** CIDRs from where it may be used; none: from anywhere. */
  allowed_addresses?: string[] | undefined;
}

/** Asks the organization service who stands behind a credential. */
export type LookUp = (context: CallContext) => Promise<FoundPrincipal>;

/** Who stands behind a credential, as it is remembered. */
export interface KnownPrincipal {
  readonly principal: Principal;
  /** From where it may be used; none: from anywhere. It is for each request to be looked at. */
  readonly allowed: readonly AddressRange[];
}

interface Entry extends KnownPrincipal {
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
 * Principals by the name of what they came with: the digest of a key, the member that a session names. An entry lives
 * a minute at most and is dropped as soon as the access of its organization changes; one that was being looked up
 * meanwhile serves its own request and is not kept.
 */
export class PrincipalCache {
  readonly #clock: Clock;
  readonly #entries: LRUCache<string, Entry>;
  readonly #lookups = new Map<string, Lookup>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#entries = new LRUCache({ max: maxEntries, ttl: maxAgeMs, perf: { now: () => clock.monotonic() } });
  }

  /** The principal of a name; rejects as the lookup does, and with `invalid_token` once what was found has expired. */
  async find(name: string, lookUp: LookUp, context: CallContext): Promise<KnownPrincipal> {
    const entry = this.#entries.get(name) ?? (await this.#lookUp(name, lookUp, context));
    if (entry.expiresAt <= this.#clock.now().getTime()) {
      throw new CodedError('invalid_token', { message: 'The API key has expired; create a new one.' });
    }
    return entry;
  }

  /** Drops what is known of an organization. */
  forget(organizationId: string): void {
    for (const lookup of this.#lookups.values()) lookup.changed.add(organizationId);
    for (const [name, entry] of this.#entries.entries()) {
      if (entry.principal.organization_id === organizationId) this.#entries.delete(name);
    }
  }

  /** Drops everything: invalidations may have been missed. */
  forgetAll(): void {
    for (const lookup of this.#lookups.values()) lookup.forgotten = true;
    this.#entries.clear();
  }

  /** Requests with the same credential share one lookup, unless access changed since it began. */
  #lookUp(name: string, lookUp: LookUp, context: CallContext): Promise<Entry> {
    const running = this.#lookups.get(name);
    if (running && running.changed.size === 0 && !running.forgotten) return running.found;
    // Requests with more time may join this lookup, so it has its own; only the first one's name is lent to it.
    const own = newContext({ requestId: context.requestId, deadlineMs: defaultDeadlineMs });
    const lookup: Lookup = { found: fetchEntry(lookUp, own), changed: new Set(), forgotten: false };
    this.#lookups.set(name, lookup);
    const done = (entry?: Entry): void => {
      if (this.#lookups.get(name) === lookup) this.#lookups.delete(name);
      if (entry && !lookup.forgotten && !lookup.changed.has(entry.principal.organization_id)) {
        this.#entries.set(name, entry);
      }
    };
    lookup.found.then(done, () => done());
    return lookup.found;
  }
}

const fetchEntry = async (lookUp: LookUp, context: CallContext): Promise<Entry> => {
  const { principal, expires_at, allowed_addresses = [] } = await lookUp(context);
  return {
    principal,
    allowed: allowed_addresses.map(parseAddressRange),
    expiresAt: expires_at ? Date.parse(expires_at) : Number.POSITIVE_INFINITY,
  };
};
