import { accessChanged, CodedError, revokeKey as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Parts } from '../parts.ts';
import { markRevoked } from '../store/api-keys.ts';

/** Revokes a key of either environment, for good, which every gateway hears of. */
export const revokeKey = ({ database, clock, outbox }: Pick<Parts, 'database' | 'clock' | 'outbox'>) =>
  handle(operation, async ({ input: { organization_id, key_id } }) =>
    database.transaction(async (tx) => {
      const key = await markRevoked(tx, organization_id, key_id, clock.now());
      if (!key) throw new CodedError('not_found');
      if (!key.wasRevoked) await outbox.add(tx, accessChanged, { organization_id });
      return { revoked: true };
    }),
  );
