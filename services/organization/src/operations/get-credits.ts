import { notFound, getCredits as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { available } from '../domain/funds.ts';
import { showAccount } from '../store/accounts.ts';

/** Shows the credits of the caller's own organization; any other organization is not found. */
export const getCredits = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, async ({ tenant, input: { params } }) => {
    const { organizationId } = tenant;
    if (params.organization_id.toLowerCase() !== organizationId) throw notFound('organization');
    const account = await showAccount(database, organizationId);
    if (!account) throw notFound('credit account');
    const { tier, balance, reserved, overage } = account;
    return {
      organization_id: organizationId,
      tier,
      balance,
      reserved,
      available: Math.max(0, available(account)),
      overage_limit: overage,
      updated_at: account.updated_at.toISOString(),
    };
  });
