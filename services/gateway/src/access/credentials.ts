import {
  type AddressRange,
  authenticateKey,
  authenticateSession,
  CodedError,
  defaultDeadlineMs,
  isInRanges,
  type Principal,
  parseAddressRange,
} from '@stanza/contracts';
import { type CallContext, type Clock, newContext, type RpcClient, upTo } from '@stanza/runtime';
import { LRUCache } from 'lru-cache';
import type { OpenLimits } from '../limits/open-limits.ts';
import type { Session } from './sessions/claims.ts';
import type { VerifySession } from './sessions/verify-session.ts';

/** Authentication: resolves API keys to principals, verifies session tokens, and resolves these to principals. */
export interface Credentials {
  findKey(digest: string, context: CallContext): Promise<KnownPrincipal>;
  /** Undefined without a configured identity provider. */
  verifySession: VerifySession | undefined;
  /** Undefined where the session names no organization. */
  findMember(
    session: Omit<Session, 'expiresAt' | 'isForAgents'>,
    context: CallContext,
  ): Promise<Principal | undefined>;
}

/** Resolves a credential at the organization service, and caches the result. */
export const credentials = (
  rpc: RpcClient,
  principals: PrincipalCache,
  verifySession: VerifySession | undefined,
): Credentials => ({
  verifySession,
  findKey: (digest, context) =>
    principals.find(digest, (own) => rpc.call(authenticateKey, { key_digest: digest }, own), context),
  findMember: async ({ person, organizationId, environment }, context) => {
    if (organizationId === undefined) return undefined;
    const input = { person, organization_id: organizationId, environment };
    // A JSON list cannot collide with a digest, and keeps its elements apart.
    const name = JSON.stringify([person.issuer, person.subject, organizationId, environment]);
    const known = await principals.find(name, (own) => rpc.call(authenticateSession, input, own), context);
    return known.principal;
  },
});

/** Milliseconds after which an entry is looked up again even without an invalidation: the bound on a lost one. */
const maxAgeMs = 60_000;
/** Entries; at about 1 KB each the cache stays under 50 MB. */
const maxEntries = 50_000;

/** The principal of a credential, and its expiry if it has one. */
export interface FoundPrincipal {
  principal: Principal;
  expires_at?: string | null;
  /** CIDRs from where it may be used; empty: from anywhere. */
  allowed_addresses?: string[] | undefined;
}

/** Looks up the principal of a credential at the organization service. */
export type LookUp = (context: CallContext) => Promise<FoundPrincipal>;

/** A cached principal. */
export interface KnownPrincipal {
  readonly principal: Principal;
  /** CIDRs from where it may be used; empty: from anywhere. Checked at each request. */
  readonly allowed: readonly AddressRange[];
}

/** The answer contains neither the allowed addresses nor the scopes: the key may be stolen. */
const notFromHere = (): CodedError =>
  new CodedError('access_denied', {
    message: 'The API key cannot be used from this address.',
    required_scopes: [],
    user_scopes: [],
  });

/**
 * Checked at each request, since the cached key does not depend on the address.
 * @throws CodedError `access_denied` for a key that may not be used from there
 */
export const requireAddress = ({ allowed }: KnownPrincipal, address: string | null | undefined): void => {
  if (allowed.length > 0 && !(address && isInRanges(address, allowed))) throw notFromHere();
};

interface Entry extends KnownPrincipal {
  expiresAt: number;
}

interface Lookup {
  found: Promise<Entry>;
  /** Organizations whose access changed while the lookup was in flight. */
  changed: Set<string>;
  /** True when all access may have changed while the lookup was in flight. */
  forgotten: boolean;
}

/**
 * Principals by credential: the digest of a key, or the member that a session names. An entry lives a minute at most
 * and is dropped when the access of its organization changes. A lookup in flight at that moment serves its own request
 * and is not cached. A revoked key is refused once the event of `endKey` arrives; without it, within the minute.
 */
export class PrincipalCache {
  readonly #clock: Clock;
  readonly #open: Pick<OpenLimits, 'within'>;
  readonly #entries: LRUCache<string, Entry>;
  /** The names of the entries of each organization: a change of access walks its own alone. */
  readonly #names = new Map<string, Set<string>>();
  readonly #lookups = new Map<string, Lookup>();

  /** @param open bounds lookups by address: a credential that is not cached may be anybody's guess */
  constructor(clock: Clock, open: Pick<OpenLimits, 'within'>) {
    this.#clock = clock;
    this.#open = open;
    this.#entries = new LRUCache({
      ...upTo(maxEntries),
      ttl: maxAgeMs,
      perf: { now: () => clock.monotonic() },
      dispose: ({ principal }, name) => {
        const names = this.#names.get(principal.organization_id);
        names?.delete(name);
        if (names?.size === 0) this.#names.delete(principal.organization_id);
      },
    });
  }

  /**
   * The principal of a credential; rejects like the lookup, and with `invalid_token` once the principal has expired.
   */
  async find(name: string, lookUp: LookUp, context: CallContext): Promise<KnownPrincipal> {
    const entry = this.#entries.get(name) ?? (await this.#lookUp(name, lookUp, context));
    if (entry.expiresAt <= this.#clock.now().getTime()) {
      throw new CodedError('invalid_token', { message: 'The API key has expired; create a new one.' });
    }
    return entry;
  }

  /** Drops the entries of an organization. */
  forget(organizationId: string): void {
    for (const lookup of this.#lookups.values()) lookup.changed.add(organizationId);
    for (const name of this.#names.get(organizationId) ?? []) this.#entries.delete(name);
  }

  /** Drops all entries, since invalidations may have been missed. */
  forgetAll(): void {
    for (const lookup of this.#lookups.values()) lookup.forgotten = true;
    this.#entries.clear();
  }

  /** Requests with the same credential share one lookup, unless access changed since it began. */
  #lookUp(name: string, lookUp: LookUp, context: CallContext): Promise<Entry> {
    const running = this.#lookups.get(name);
    if (running && running.changed.size === 0 && !running.forgotten) return running.found;
    // Requests with more time left may join this lookup, so it has a deadline of its own; it carries the first
    // request's id.
    const own = newContext({ requestId: context.requestId, deadlineMs: defaultDeadlineMs });
    const client = context.client ?? { address: null, user_agent: null };
    const found = this.#open.within('authentications', client, () => fetchEntry(lookUp, own));
    const lookup: Lookup = { found, changed: new Set(), forgotten: false };
    this.#lookups.set(name, lookup);
    const done = (entry?: Entry): void => {
      if (this.#lookups.get(name) === lookup) this.#lookups.delete(name);
      if (entry && !lookup.forgotten && !lookup.changed.has(entry.principal.organization_id)) {
        this.#entries.set(name, entry);
        const { organization_id } = entry.principal;
        this.#names.set(organization_id, (this.#names.get(organization_id) ?? new Set()).add(name));
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
