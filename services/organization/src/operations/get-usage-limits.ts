import {
  countDailyEvents,
  countStoredTargets,
  countStoredTemplates,
  notFound,
  getUsageLimits as operation,
  type ReplyOf,
  type Tier,
} from '@stanza/contracts';
import { type CallContext, handle, isUnavailable } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { available } from '../domain/funds.ts';
import { nextDay } from '../domain/usage-range.ts';
import { showAccount } from '../store/accounts.ts';
import { countKeys } from '../store/api-keys.ts';
import { countInvitations } from '../store/invitations.ts';
import { countMembers } from '../store/provisioned-users.ts';

/** What another service counts; undefined when it is unavailable, since the other figures are useful without it. */
const countedBy = async <T>(
  log: Dependencies['log'],
  counted: string,
  count: () => Promise<T>,
): Promise<T | undefined> => {
  try {
    return await count();
  } catch (err) {
    if (!isUnavailable(err)) throw err;
    log.warn({ err, operation: counted }, 'usage of a limit could not be counted');
    return undefined;
  }
};

/** Asks the services that count, all at one time. */
const countUse = async (
  { rpc, log }: Pick<Dependencies, 'rpc' | 'log'>,
  organization_id: string,
  context: CallContext,
) => {
  const asked = { organization_id };
  const [today, templates, targets] = await Promise.all([
    countedBy(log, countDailyEvents.id, () => rpc.call(countDailyEvents, asked, context)),
    countedBy(log, countStoredTemplates.id, () => rpc.call(countStoredTemplates, asked, context)),
    countedBy(log, countStoredTargets.id, () => rpc.call(countStoredTargets, asked, context)),
  ]);
  return { today, stored: { ...templates, ...targets } };
};

type Counted = Partial<
  ReplyOf<typeof countStoredTemplates> &
    ReplyOf<typeof countStoredTargets> & { api_keys: number; invitations: number; members: number }
>;

/** The limits of what is stored, with the use of each where it is known. */
const presentStored = ({ stored: limits }: Tier, used: Counted) => {
  const use = (kind: Exclude<keyof Counted, 'members'>) => ({
    limit: limits[kind],
    used: used[kind] ?? null,
  });
  return {
    templates: use('templates'),
    modals: use('modals'),
    entities: use('entities'),
    sample_data: use('sample_data'),
    destinations: use('destinations'),
    scheduled_messages: use('scheduled_messages'),
    scheduled_data_bytes: use('scheduled_data_bytes'),
    bytes: use('bytes'),
    api_keys: use('api_keys'),
    invitations: use('invitations'),
    ...(limits.members !== undefined && { members: { limit: limits.members, used: used.members ?? null } }),
    queues: { limit: limits.queues },
    versions: { limit: limits.versions },
    entity_fields: { limit: limits.entity_fields },
  };
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
    const { today, stored } = await countUse({ rpc, log }, organizationId, context);
    const used = today?.events ?? null;
    // Of the day that is counted: the clock of this process may be in another one.
    const at = today ? new Date(today.day) : clock.now();
    const own = {
      api_keys: await countKeys(database, organizationId),
      invitations: await countInvitations(database, organizationId),
      members: await countMembers(database, organizationId),
    };
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
        resets_at: nextDay(at).toISOString(),
      },
      queues: { active: tier.active_queues, modes: tier.queue_modes },
      stored: presentStored(tier, { ...stored, ...own }),
    };
  });
