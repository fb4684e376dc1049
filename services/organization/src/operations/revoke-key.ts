import { accessChanged, CodedError, revokeKey as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Parts } from '../parts.ts';
import { markRevoked } from '../store/api-keys.ts';
import { record } from '../store/audit-log.ts';

/** Revokes a key of either environment, for good, which every gateway hears of. */
export const revokeKey = ({ database, clock, outbox }: Pick<Parts, 'database' | 'clock' | 'outbox'>) =>
  handle(operation, async ({ input: { organization_id, key_id }, context }) =>
    database.transaction(async (tx) => {
      const at = clock.now();
      const key = await markRevoked(tx, organization_id, key_id, at);
      if (!key) throw new CodedError('not_found');
      if (key.wasRevoked) return { revoked: true };
      await outbox.add(tx, accessChanged, { organization_id });
      await record(tx, context, {
        action: 'api_key.revoked',
        subject: { kind: 'api_key', id: key_id },
        owner: { organization_id, environment: key.environment },
        at,
      });
      return { revoked: true };
    }),
  );
