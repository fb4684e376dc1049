import { newContext, type Transaction } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { nextMonth } from '../domain/usage-range.ts';
import { addGrant, isGranted } from '../store/accounts.ts';
import { record } from '../store/audit-log.ts';
import {
  type DueAccount,
  isAnyDue,
  lockDueAccount,
  monthlyGrantId,
  setNextGrant,
} from '../store/monthly-grants.ts';

const service = { type: 'system', id: 'organization' } as const;

/**
 * Grants every organization the credits of its tier on the first of a month, UTC, on top of its remaining credits.
 * Months missed by a stopped service are granted when it runs again; a month that begins during a suspension lapses.
 */
export const grantMonthly = ({
  database,
  clock,
  tiers,
  log,
}: Pick<Dependencies, 'database' | 'clock' | 'tiers' | 'log'>) => {
  const grant = async (tx: Transaction, due: DueAccount): Promise<boolean> => {
    const { organization_id, tier, next_grant_at: month } = due;
    const amount = tiers[tier].monthly_credits;
    const grantId = monthlyGrantId(organization_id, month);
    if (due.status !== 'active' || amount === 0 || (await isGranted(tx, organization_id, grantId)))
      return false;
    const reason = `${tier} credits of ${month.toISOString().slice(0, 7)}`;
    const at = clock.now();
    await addGrant(tx, organization_id, { grantId, amount, reason, at });
    await record(tx, newContext({ deadlineMs: 0 }), {
      action: 'credits.granted',
      subject: { kind: 'grant', id: grantId },
      changes: { amount, reason },
      owner: { organization_id, environment: null },
      actor: service,
      at,
    });
    return true;
  };
  const next = (): Promise<{ granted: boolean } | undefined> =>
    database.transaction(async (tx) => {
      const due = await lockDueAccount(tx);
      if (!due) return undefined;
      const granted = await grant(tx, due);
      await setNextGrant(tx, due.organization_id, nextMonth(due.next_grant_at));
      return { granted };
    });
  return async (): Promise<void> => {
    // Nothing is due but on the first of a month: a transaction would take two more statements to find that.
    if (!(await isAnyDue(database))) return;
    let grants = 0;
    for (let done = await next(); done; done = await next()) grants += done.granted ? 1 : 0;
    if (grants > 0) log.info({ count: grants }, 'monthly credits were granted');
  };
};
