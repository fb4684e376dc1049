import { CodedError, type RateName, rateHeader, ratePolicyHeader, rates } from '@stanza/contracts';
import { type Clock, coalesce, type Database, type Logger, upTo } from '@stanza/runtime';
import { LRUCache } from 'lru-cache';
import { v5 as uuidv5 } from 'uuid';
import type { GatewayMetrics } from '../metrics.ts';
import { countRequests, secondsToMore, usedOf } from '../store/rate-counters.ts';
import { withTimeout } from '../with-timeout.ts';

/** Timeout of counting a request, milliseconds; the rate limit must not become a point of failure. */
const countMs = 1_000;
/** Requests of one organization counted by one statement. */
const maxBatch = 500;
/** Organizations at their limit that are cached. */
const maxFull = 10_000;

/** The state of a rate after a request. */
export interface Quota {
  isGranted: boolean;
  remaining: number;
  /**
   * Seconds until the next request is allowed, the window at most: requests count until the end of their second, so that
   * one may be refused for a part of a second more.
   */
  secondsToMore: number;
}

/** The dependencies of the limits. */
export interface RateLimitDependencies {
  database: Database;
  clock: Pick<Clock, 'monotonic'>;
  log: Logger;
  metrics: Pick<GatewayMetrics, 'rated'>;
  /** The moment of a request, in place of the database's clock; for tests with a fixed time. */
  at?: () => Date;
}

const toMore = (seconds: number, rate: RateName): number => Math.min(seconds, rates[rate].seconds);

/** Says in the headers of an answer what is left of a rate. */
export const quotaHeaders = (rate: RateName, quota: Quota): Record<string, string> => ({
  [ratePolicyHeader]: `"${rate}";q=${rates[rate].requests};w=${rates[rate].seconds}`,
  [rateHeader]: `"${rate}";r=${quota.remaining};t=${quota.secondsToMore}`,
});

/**
 * Refuses a request over its rate.
 * @param who begins the sentence, as "The organization has made its"
 * @throws CodedError `rate_limited`
 */
export const requireQuota = (who: string, rate: RateName, { isGranted, secondsToMore }: Quota): void => {
  if (isGranted) return;
  const { requests, seconds } = rates[rate];
  throw new CodedError('rate_limited', {
    message: `${who} ${requests} ${rate} requests of the last ${seconds} seconds; the next is possible in ${secondsToMore} s.`,
    retry_after: secondsToMore,
  });
};

/** The namespace of {@link holderOf}. */
const holders = 'd1f3c7a2-5b0e-4c59-9d0b-6a8f5c2e7b41';

/** The id under which requests of a holder that is no organization are counted, such as a person. */
export const holderOf = (...parts: readonly string[]): string => uuidv5(JSON.stringify(parts), holders);

interface Wanted {
  organizationId: string;
  rate: RateName;
}

/**
 * Counts requests against the rates of their organization, or of another holder. All gateways count in the same row, so
 * the limit is exact across them; concurrent requests of a holder are counted by one statement.
 */
export class RateLimits {
  readonly #dependencies: RateLimitDependencies;
  readonly #count: (wanted: Wanted) => Promise<Quota>;
  /** When a used-up rate next allows a request; until then requests are refused without a statement. */
  readonly #full = new LRUCache<string, number>(upTo(maxFull));

  constructor(dependencies: RateLimitDependencies) {
    this.#dependencies = dependencies;
    this.#count = coalesce<Wanted, Quota>({
      name: 'rates',
      key: ({ organizationId, rate }) => `${rate} ${organizationId}`,
      maxBatch,
      run: (all, key) => this.#countTogether(all, key),
    });
  }

  /**
   * Counts a request. Undefined when that is impossible; the request may then pass, because the concurrency limit still
   * protects the system.
   */
  async take(organizationId: string, rate: RateName): Promise<Quota | undefined> {
    const { metrics, log } = this.#dependencies;
    try {
      const quota =
        this.#known(organizationId, rate) ??
        (await withTimeout(this.#count({ organizationId, rate }), countMs, 'counting a request'));
      metrics.rated.inc({ rate, outcome: quota.isGranted ? 'granted' : 'refused' });
      return quota;
    } catch (err) {
      metrics.rated.inc({ rate, outcome: 'uncounted' });
      log.warn(
        { err, rate, organization_id: organizationId },
        'a rate limit could not be counted: the request passed',
      );
      return undefined;
    }
  }

  /** The refusal for an organization that is known to be at its limit, without a statement; else undefined. */
  refusal(organizationId: string, rate: RateName): Quota | undefined {
    return this.#known(organizationId, rate);
  }

  /** Counts a refusal that was made without {@link take}. */
  countRefusal(rate: RateName): void {
    this.#dependencies.metrics.rated.inc({ rate, outcome: 'refused' });
  }

  #known(organizationId: string, rate: RateName): Quota | undefined {
    const key = `${rate} ${organizationId}`;
    const until = this.#full.get(key);
    if (until === undefined) return undefined;
    const milliseconds = until - this.#dependencies.clock.monotonic();
    if (milliseconds > 0) {
      return { isGranted: false, remaining: 0, secondsToMore: toMore(Math.ceil(milliseconds / 1_000), rate) };
    }
    this.#full.delete(key);
    return undefined;
  }

  async #countTogether(all: Wanted[], key: string): Promise<Quota[]> {
    const [first] = all;
    if (!first) return [];
    const { database, clock, at } = this.#dependencies;
    const { organizationId, rate } = first;
    const limit = { rate, wanted: all.length, ...rates[rate] };
    const { granted, now, ...window } = await countRequests(organizationId, database, limit, at?.());
    const seconds = secondsToMore(window, now);
    const left = Math.max(0, rates[rate].requests - usedOf(window));
    if (granted < all.length) this.#full.set(key, clock.monotonic() + seconds * 1_000);
    return all.map((_, index) => ({
      isGranted: index < granted,
      remaining: index < granted ? left + granted - 1 - index : 0,
      secondsToMore: toMore(seconds, rate),
    }));
  }
}
