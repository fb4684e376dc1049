import { revokeKey as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { AccessDependencies } from '../dependencies.ts';
import { endKey } from '../end-key.ts';

/** Revokes a key of either environment for an operator. */
export const revokeKey = ({ database, clock, outbox }: AccessDependencies) =>
  handle(operation, async ({ input: { organization_id, key_id, descendants = false }, context }) => {
    const key = { organizationId: organization_id, environment: undefined, id: key_id, descendants };
    await database.transaction((tx) => endKey(tx, outbox, context, key, clock.now()));
    return { revoked: true };
  });
