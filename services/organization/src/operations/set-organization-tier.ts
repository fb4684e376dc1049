import { accessChanged, notFound, setOrganizationTier as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { lockAccount } from '../store/accounts.ts';
import { record } from '../store/audit-log.ts';
import { lockOrganization, setTier } from '../store/organization-details.ts';

/** Moves an organization to another tier; its credits stay, its overage and limits are those of the new tier. */
export const setOrganizationTier = ({
  database,
  clock,
  outbox,
  tiers,
}: Pick<Dependencies, 'database' | 'clock' | 'outbox' | 'tiers'>) =>
  handle(operation, async ({ input: { organization_id, tier }, context }) =>
    database.transaction(async (tx) => {
      await lockAccount(tx, organization_id);
      const before = await lockOrganization(tx, organization_id);
      if (!before) throw notFound('organization');
      if (before.tier === tier) return { tier, changed: false };
      const at = clock.now();
      await setTier(tx, organization_id, tier, tiers[tier].overage, at);
      await outbox.add(tx, accessChanged, { organization_id });
      await record(tx, context, {
        action: 'organization.tier_changed',
        subject: { kind: 'organization', id: organization_id },
        changes: { tier: { from: before.tier, to: tier } },
        owner: { organization_id, environment: null },
        at,
      });
      return { tier, changed: true };
    }),
  );
