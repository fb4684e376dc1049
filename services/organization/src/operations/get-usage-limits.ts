import { CodedError, countDailyEvents, notFound, getUsageLimits as operation } from '@stanza/contracts';
import { type CallContext, handle, RpcFailure } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { available } from '../domain/funds.ts';
import { nextDay } from '../domain/usage-range.ts';
import { showAccount } from '../store/accounts.ts';

/** The number of today's events; null when it is unavailable, since the credits are useful without it. */
const eventsToday = async (
  { rpc, log }: Pick<Dependencies, 'rpc' | 'log'>,
  organization_id: string,
  context: CallContext,
): Promise<number | null> => {
  try {
    return (await rpc.call(countDailyEvents, { organization_id }, context)).events;
  } catch (err) {
    const isAway =
      err instanceof RpcFailure || (err instanceof CodedError && err.code === 'service_unavailable');
    if (!isAway) throw err;
    log.warn({ err }, "today's events could not be counted");
    return null;
  }
};

/** Shows the limits of the caller's tier, and the remaining allowance. */
export const getUsageLimits = ({
  database,
  rpc,
  clock,
  log,
  tiers,
}: Pick<Dependencies, 'database' | 'rpc' | 'clock' | 'log' | 'tiers'>) =>
  handle(operation, async ({ tenant, context }) => {
    const { organizationId } = tenant;
    const account = await showAccount(database, organizationId);
    if (!account) throw notFound('credit account');
    const { tier: name, balance, reserved, overage, next_grant_at } = account;
    const tier = tiers[name];
    const used = await eventsToday({ rpc, log }, organizationId, context);
    return {
      tier: name,
      credits: {
        balance,
        reserved,
        available: Math.max(0, available(account)),
        overage_limit: overage,
        overage_used: Math.max(0, -balance),
        monthly_grant: tier.monthly_credits,
        next_grant_at: next_grant_at.toISOString(),
      },
      events: {
        per_day: tier.events_per_day,
        used_today: used,
        left_today: used === null ? null : Math.max(0, tier.events_per_day - used),
        resets_at: nextDay(clock.now()).toISOString(),
      },
      queues: { active: tier.active_queues, modes: tier.queue_modes },
    };
  });
