import { createApiKey as operation, validationFailed } from '@stanza/contracts';
import { handle, Tenant } from '@stanza/runtime';
import { grantedScopes, managedEnvironment } from '../domain/key-grants.ts';
import { denied } from '../domain/refusals.ts';
import { issueKey } from '../issue-key.ts';
import type { Parts } from '../parts.ts';
import { holdMember } from '../store/members.ts';

const checkExpiry = (expiresAt: string | null | undefined, now: Date): void => {
  if (!expiresAt || new Date(expiresAt) > now) return;
  throw validationFailed([{ code: 'custom', path: ['expires_at'], message: 'must be in the future' }]);
};

/** Makes a key for the user behind the caller, no wider than the caller. */
export const createApiKey = ({
  database,
  clock,
  keyHashes,
}: Pick<Parts, 'database' | 'clock' | 'keyHashes'>) =>
  handle(operation, ({ principal, context, input: { body } }) =>
    database.transaction(async (tx) => {
      const { name, description, expires_at } = body;
      const { organization_id, actor } = principal;
      const at = clock.now();
      checkExpiry(expires_at, at);
      const environment = managedEnvironment(principal, body.environment);
      const creator = actor.user_id && (await holdMember(tx, organization_id, actor.user_id));
      if (!creator) throw denied('Only a member of the organization can create a key.', principal);
      const { user_id, role } = creator;
      const scopes = grantedScopes(principal, role, body.scopes);
      const expiresAt = expires_at ? new Date(expires_at).toISOString() : undefined;
      const facts = { userId: user_id, name, description, scopes, expiresAt, at };
      const issued = await issueKey(tx, keyHashes, new Tenant(organization_id, environment), context, facts);
      return {
        id: issued.id,
        name,
        description: description ?? null,
        environment,
        key: issued.key,
        key_prefix: issued.prefix,
        scopes,
        user_id,
        status: 'active' as const,
        created_at: at.toISOString(),
        last_used_at: null,
        expires_at: expiresAt ?? null,
        revoked_at: null,
      };
    }),
  );
