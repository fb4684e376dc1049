import { CodedError, cutScopes, authenticateKey as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { findKeyByHash } from '../store/api-keys.ts';

const refused = (message: string): CodedError => new CodedError('invalid_token', { message });

/** Identifies the principal of a key: organization, environment, current role and scopes. */
export const authenticateKey = ({
  database,
  clock,
  keyHashes,
  keyUse,
}: Pick<Dependencies, 'database' | 'clock' | 'keyHashes' | 'keyUse'>) =>
  handle(operation, async ({ input }) => {
    const key = await findKeyByHash(database, keyHashes.all(input.key_digest));
    if (!key || key.status === 'deleted') throw refused('The API key is not known.');
    if (key.revoked_at) throw refused('The API key was revoked; create a new one.');
    const now = clock.now();
    if (key.expires_at && key.expires_at <= now) throw refused('The API key has expired; create a new one.');
    const scopes = cutScopes(key.scopes, key.role);
    if (key.status === 'suspended') {
      throw new CodedError('access_denied', {
        message: 'The organization is suspended; its operator can reinstate it.',
        required_scopes: [],
        user_scopes: scopes,
      });
    }
    keyUse.note(key.id, now);
    const { organization_id, environment, role, user_id } = key;
    const actor = { type: 'api_key' as const, id: key.id, user_id };
    return {
      principal: { organization_id, environment, actor, role, scopes },
      expires_at: key.expires_at?.toISOString() ?? null,
      allowed_addresses: key.allowed_addresses,
    };
  });
