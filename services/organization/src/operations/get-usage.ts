import { getUsage as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { ledgerReach } from '../domain/readable-environment.ts';
import { usageRange } from '../domain/usage-range.ts';
import { usageOf } from '../store/credit-log.ts';

/** Reports the usage of the caller's organization from its ledger; a key of preview sees its own environment only. */
export const getUsage = ({ reports, clock }: Pick<Dependencies, 'reports' | 'clock'>) =>
  handle(operation, async ({ tenant, principal, input: { query } }) => {
    const { limit, offset, group_by } = query;
    const { from, to, since, until } = usageRange(query, clock.now());
    const asked = { since, until, by: group_by, reach: ledgerReach(principal) };
    const { total, groups } = await usageOf(reports, tenant.organizationId, asked, { limit, offset });
    return {
      from,
      to,
      group_by,
      total,
      data: groups.items,
      pagination: { offset, limit, total: groups.total },
    };
  });
