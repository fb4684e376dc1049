import { type Client, CodedError } from '@stanza/contracts';
import { type Clock, ConcurrencyLimit, type ConcurrencySlot, type Metrics, upTo } from '@stanza/runtime';
import { LRUCache } from 'lru-cache';
import { clientShares } from '../http/client.ts';

/**
 * What can be asked without credentials, or before they are checked. Each kind has slots of its own, so that none holds
 * up another.
 */
const openKinds = [
  'clicks',
  'returns',
  'sign_in_returns',
  'sign_ins',
  'console_sessions',
  'unknown_agents',
  'authentications',
] as const;

/** See {@link openKinds}. */
export type OpenKind = (typeof openKinds)[number];

/** Kinds that are counted as well: each return may call the chat platform or the identity provider. */
const countedKinds: readonly OpenKind[] = ['returns', 'sign_in_returns'];

/** Returns of a counted kind that one address may make in a minute. All people of an office may share one. */
const returnsPerMinute = 300;
const minuteMs = 60_000;
/** Addresses and kinds counted at one time. */
const maxAddresses = 20_000;

/** What the limits are made from. */
export interface OpenLimitsOptions {
  /** Slots of each kind. */
  limit: number;
  /** Those of authentications: all customers behind one proxy are looked up at once where a gateway has just started. */
  authentications?: number;
  clock: Pick<Clock, 'monotonic'>;
  metrics?: Metrics;
}

/** Bounds requests of callers who are not known yet, by their address. */
export class OpenLimits {
  readonly #limits: ReadonlyMap<OpenKind, ConcurrencyLimit>;
  readonly #returns: LRUCache<string, number>;

  constructor({ limit, authentications = limit, clock, metrics }: OpenLimitsOptions) {
    const made = openKinds.map(
      (kind) =>
        [
          kind,
          new ConcurrencyLimit({
            kind,
            limit: kind === 'authentications' ? authentications : limit,
            ...(metrics && { metrics }),
          }),
        ] as const,
    );
    this.#limits = new Map(made);
    this.#returns = new LRUCache({
      ...upTo(maxAddresses),
      ttl: minuteMs,
      ttlResolution: 0,
      noUpdateTTL: true,
      perf: { now: () => clock.monotonic() },
    });
  }

  /** Slots of a kind that are taken. */
  taken(kind: OpenKind): number {
    return this.#limits.get(kind)?.taken ?? 0;
  }

  /**
   * Takes a slot until it is left.
   * @throws CodedError `service_unavailable` without a free slot or beyond the share of the address, `rate_limited` for too
   *   many returns
   */
  take(kind: OpenKind, client: Client): ConcurrencySlot {
    const shares = clientShares(client);
    if (countedKinds.includes(kind)) this.#count(kind, shares);
    const slot = this.#limits.get(kind)?.take();
    if (slot?.share(...shares)) return slot;
    slot?.leave();
    throw new CodedError('service_unavailable', {
      message: 'Too many requests are in progress; nothing was done. Try again later.',
      retry_after: 1,
      nothing_done: true,
    });
  }

  /** Does work in a slot; throws as {@link take} does. */
  async within<T>(kind: OpenKind, client: Client, work: () => Promise<T>): Promise<T> {
    const slot = this.take(kind, client);
    try {
      return await work();
    } finally {
      slot.leave();
    }
  }

  /** A /56 may return twice as often as a /64, and a /48 four times as often. */
  #count(kind: OpenKind, addresses: readonly string[]): void {
    const shares = addresses.map((address) => `${kind} ${address}`);
    const narrowest = shares.length - 1;
    const over = shares.find(
      (share, at) => (this.#returns.get(share) ?? 0) >= returnsPerMinute * 2 ** (narrowest - at),
    );
    if (over !== undefined) {
      throw new CodedError('rate_limited', {
        message: `This address has made its ${returnsPerMinute} returns of a minute.`,
        retry_after: Math.ceil(this.#returns.getRemainingTTL(over) / 1_000),
        nothing_done: true,
      });
    }
    for (const share of shares) this.#returns.set(share, (this.#returns.get(share) ?? 0) + 1);
  }
}
