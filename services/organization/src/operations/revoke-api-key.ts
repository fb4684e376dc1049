import { revokeApiKey as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { AccessDependencies } from '../dependencies.ts';
import { managedEnvironment } from '../domain/key-grants.ts';
import { endKey } from '../end-key.ts';

/**
 * Revokes a key of an environment that the caller manages, optionally with the keys that it created; a key may revoke
 * itself.
 */
export const revokeApiKey = ({ database, clock, outbox }: AccessDependencies) =>
  handle(operation, async ({ principal, context, input: { params, query } }) => {
    const environment = managedEnvironment(principal, query.environment);
    const descendants = query.descendants === 'true';
    const key = { organizationId: principal.organization_id, environment, id: params.id, descendants };
    await database.transaction((tx) => endKey(tx, outbox, context, key, clock.now()));
    return { success: true as const, id: params.id };
  });
