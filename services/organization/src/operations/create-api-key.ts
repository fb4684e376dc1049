import { createApiKey as operation } from '@stanza/contracts';
import { handle, Tenant } from '@stanza/runtime';
import { checkRoom } from '../check-room.ts';
import type { Dependencies } from '../dependencies.ts';
import { denied } from '../domain/errors.ts';
import { grantedScopes, managedEnvironment } from '../domain/key-grants.ts';
import { issueKey } from '../issue-key.ts';
import { allowedAddresses } from '../key-addresses.ts';
import { endOfKey, holdParent } from '../parent-key.ts';
import { countKeys } from '../store/api-keys.ts';
import { holdMember } from '../store/members.ts';

/**
 * Creates a key for the user behind the caller, with no more rights than the caller and no longer life than the calling
 * key.
 */
export const createApiKey = ({
  database,
  clock,
  keyHashes,
  tiers,
}: Pick<Dependencies, 'database' | 'clock' | 'keyHashes' | 'tiers'>) =>
  handle(operation, ({ principal, context, input: { body } }) =>
    database.transaction(async (tx) => {
      const { name, description, expires_at } = body;
      const { organization_id, actor } = principal;
      const at = clock.now();
      const count = () => countKeys(tx, organization_id);
      await checkRoom(tx, Tenant.of(principal), { tiers, kind: 'api_keys', count });
      const environment = managedEnvironment(principal, body.environment);
      const creator = actor.user_id && (await holdMember(tx, organization_id, actor.user_id));
      if (!creator) throw denied('Only a member of the organization can create a key.', principal);
      const { user_id, role } = creator;
      const scopes = grantedScopes(principal, role, body.scopes);
      const parent = await holdParent(tx, principal, at);
      const expiresAt = endOfKey(expires_at, parent, at);
      const allowed = await allowedAddresses(tx, principal, body.allowed_addresses);
      const facts = {
        userId: user_id,
        parentId: parent?.id,
        name,
        description,
        scopes,
        allowedAddresses: allowed,
        expiresAt,
        at,
      };
      const issued = await issueKey(tx, keyHashes, new Tenant(organization_id, environment), context, facts);
      return {
        id: issued.id,
        name,
        description: description ?? null,
        environment,
        key: issued.key,
        key_prefix: issued.prefix,
        scopes,
        allowed_addresses: allowed,
        user_id,
        parent_key_id: parent?.id ?? null,
        status: 'active' as const,
        created_at: at.toISOString(),
        last_used_at: null,
        expires_at: expiresAt ?? null,
        revoked_at: null,
      };
    }),
  );
