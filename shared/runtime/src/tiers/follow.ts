import { accessChanged, getStoredLimits, getTier, type ReplyOf, type StoredLimits } from '@stanza/contracts';
import type { Clock } from '../clock.ts';
import type { Events } from '../nats/events.ts';
import type { Logger } from '../observability/log.ts';
import { isUnavailable } from '../outage.ts';
import type { RpcClient } from '../rpc/client.ts';
import { Granted, type ReadGrant } from './granted.ts';

/** What of the service context is needed to follow what organizations are granted. */
export interface Following {
  rpc: RpcClient;
  clock: Clock;
  events: Events;
}

/** The grants as a service sees them, which are asked for again after an event that says they may have changed. */
const follow = <T>({ clock, events }: Following, ask: ReadGrant<T>): Granted<T> => {
  const granted = new Granted(ask, clock);
  events.subscribe(accessChanged, (event) => granted.forget(event.organization_id), {
    onGap: () => granted.forgetAll(),
  });
  return granted;
};

/** What the tier of an organization grants. */
export type GrantedTier = ReplyOf<typeof getTier>;

/** What the tiers of organizations grant. */
export interface Tiers {
  of(organizationId: string): Promise<GrantedTier>;
}

/** The tiers of organizations. */
export const followTiers = (following: Following): Tiers =>
  follow(following, (organization_id, context) => following.rpc.call(getTier, { organization_id }, context));

/**
 * What an organization may store; undefined while nobody can say it. An organization service of the previous version
 * says nothing of a kind that it does not know.
 */
export type Allowance = Partial<StoredLimits> | undefined;

/** What organizations may store. */
export interface Allowances {
  of(organizationId: string): Promise<Allowance>;
}

/**
 * What organizations may store. Nothing is refused while it is unknown: an outage of the organization service does not
 * end the work of authors, and the next request counts all that was stored in the meantime.
 */
export const followAllowances = (following: Following & { log: Logger }): Allowances => {
  const granted = follow(following, (organization_id, context) =>
    following.rpc.call(getStoredLimits, { organization_id }, context),
  );
  return {
    async of(organizationId) {
      try {
        return await granted.of(organizationId);
      } catch (err) {
        if (!isUnavailable(err)) throw err;
        following.log.warn(
          { err, organization_id: organizationId },
          'storage limits could not be read: nothing is bounded',
        );
        return undefined;
      }
    },
  };
};
