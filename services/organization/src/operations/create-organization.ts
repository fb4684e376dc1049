import { createOrganization as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { knownIdentities } from '../known-identities.ts';
import { addGrant, openAccount } from '../store/accounts.ts';
import { record } from '../store/audit-log.ts';
import { ensureUser, normalizeEmail, putMembership } from '../store/members.ts';
import { addOrganization, findFounded } from '../store/organizations.ts';

/**
 * Creates an organization with its owner, its account and its first grant, in one transaction. A user who signs in
 * already becomes the owner only after the operator confirms their identity.
 */
export const createOrganization = ({
  database,
  clock,
  tiers,
}: Pick<Dependencies, 'database' | 'clock' | 'tiers'>) =>
  handle(operation, async ({ input, context }) => {
    const at = clock.now();
    const email = normalizeEmail(input.owner_email);
    const tier = tiers[input.tier];
    return database.transaction(async (tx) => {
      const facts = { name: input.name, tier: input.tier, founderEmail: email, at };
      const organization_id = await addOrganization(tx, facts);
      if (organization_id === undefined) {
        const founded = await findFounded(tx, input.name, email);
        if (!founded) throw new TypeError('the organization has no owner');
        return { ...founded, created: false };
      }
      const names = { first_name: input.owner_first_name, last_name: input.owner_last_name };
      const user_id = await ensureUser(
        tx,
        { email, ...names },
        {
          by: 'operator',
          organizationId: organization_id,
          at,
        },
      );
      const identities = await knownIdentities(tx, user_id, input.existing === true);
      await putMembership(tx, organization_id, { userId: user_id, role: 'owner', at });
      await openAccount(tx, organization_id, tier.overage, at);
      const amount = input.credits ?? tier.monthly_credits;
      await addGrant(tx, organization_id, { grantId: organization_id, amount, reason: 'first grant', at });
      await record(tx, context, {
        action: 'organization.created',
        subject: { kind: 'organization', id: organization_id },
        changes: { name: input.name, tier: input.tier, owner_id: user_id, identities, credits: amount },
        owner: { organization_id, environment: null },
        at,
      });
      return { organization_id, user_id, created: true };
    });
  });
