import { CodedError, notFound, grantCredits as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { addGrant, isGranted, lockAccount } from '../store/accounts.ts';
import { record } from '../store/audit-log.ts';

/** Grants credits to an organization, or takes available ones away; idempotent by grant id. */
export const grantCredits = ({ database, clock }: Pick<Dependencies, 'database' | 'clock'>) =>
  handle(operation, async ({ input: { organization_id, grant_id, amount, reason }, context }) =>
    database.transaction(async (tx) => {
      const account = await lockAccount(tx, organization_id);
      if (!account) throw notFound('organization');
      if (await isGranted(tx, organization_id, grant_id)) return { balance: account.balance };
      if (amount < 0 && account.balance - account.reserved + amount < 0) {
        throw new CodedError('insufficient_credits', {
          message: `Only ${Math.max(0, account.balance - account.reserved)} credits can be taken away.`,
        });
      }
      const at = clock.now();
      const balance = await addGrant(tx, organization_id, { grantId: grant_id, amount, reason, at });
      await record(tx, context, {
        action: 'credits.granted',
        subject: { kind: 'grant', id: grant_id },
        changes: { amount, reason },
        owner: { organization_id, environment: null },
        at,
      });
      return { balance };
    }),
  );
