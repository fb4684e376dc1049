import { accessChanged, getTier, type ReplyOf } from '@stanza/contracts';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import type { RpcClient } from '../rpc/client.ts';
import { newContext } from '../rpc/context.ts';
import { RpcFailure } from '../rpc/failure.ts';
import type { Events } from '../streams/events.ts';

/** Milliseconds for which a tier is cached; an event also announces its change. */
const freshMs = 30_000;
/** Milliseconds for which a cached tier may still be used when the organization service does not answer. */
const staleMs = 3_600_000;
/** Milliseconds that a question may take where a tier is known: what asks has a deadline of its own, and must not lose it to this. */
const renewMs = 1_000;
const mostOrganizations = 20_000;

/** What the tier of an organization grants. The limits of what is stored are unknown while the version before answers. */
export type GrantedTier = ReplyOf<typeof getTier>;

interface Known {
  tier: GrantedTier;
  askedAt: number;
}

/**
 * The tiers of organizations. What asks for one must not depend on another service, so a recently known tier is used while
 * that service is unavailable.
 */
export class Tiers {
  readonly #rpc: RpcClient;
  readonly #clock: Clock;
  readonly #known = new LRUCache<string, Known>({ max: mostOrganizations });

  constructor(rpc: RpcClient, clock: Clock) {
    this.#rpc = rpc;
    this.#clock = clock;
  }

  /** The tier of an organization. */
  async of(organizationId: string): Promise<GrantedTier> {
    const now = this.#clock.monotonic();
    const known = this.#known.get(organizationId);
    if (known && now - known.askedAt < freshMs) return known.tier;
    try {
      const context = newContext({ deadlineMs: known ? renewMs : getTier.deadlineMs });
      const tier = await this.#rpc.call(getTier, { organization_id: organizationId }, context);
      this.#known.set(organizationId, { tier, askedAt: now });
      return tier;
    } catch (error) {
      if (error instanceof RpcFailure && known && now - known.askedAt < staleMs) return known.tier;
      throw error;
    }
  }

  /** Drops a tier that may have changed. */
  forget(organizationId: string): void {
    this.#known.delete(organizationId);
  }

  /** Drops all tiers. */
  forgetAll(): void {
    this.#known.clear();
  }
}

/** The tiers as a service sees them, which drop what an event says to have changed. */
export const followTiers = ({
  rpc,
  clock,
  events,
}: {
  rpc: RpcClient;
  clock: Clock;
  events: Events;
}): Tiers => {
  const tiers = new Tiers(rpc, clock);
  events.subscribe(accessChanged, (event) => tiers.forget(event.organization_id), {
    onGap: () => tiers.forgetAll(),
  });
  return tiers;
};
