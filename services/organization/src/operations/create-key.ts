import {
  apiKeyDigest,
  apiKeyPrefix,
  CodedError,
  cutScopes,
  newApiKey,
  createKey as operation,
  scopesOfRole,
} from '@stanza/contracts';
import { handle, Tenant } from '@stanza/runtime';
import type { Parts } from '../parts.ts';
import { addKey } from '../store/api-keys.ts';
import { findMember } from '../store/members.ts';
import { findOrganization } from '../store/organizations.ts';

/** Makes a key. It is in this answer and nowhere else: stored are its hash and the part that may be shown. */
export const createKey = ({ database, clock, keyHashes }: Pick<Parts, 'database' | 'clock' | 'keyHashes'>) =>
  handle(operation, async ({ input }) => {
    const { organization_id, environment, name, description } = input;
    const organization = await findOrganization(database, organization_id);
    if (!organization) throw new CodedError('organization_not_found');
    const creator = await findMember(database, organization_id, input.user_id);
    if (!creator) throw new CodedError('user_not_found');
    const scopes = cutScopes(input.scopes ?? scopesOfRole(creator.role), creator.role);
    const key = newApiKey(environment);
    const key_prefix = apiKeyPrefix(key);
    const key_id = await addKey(database, new Tenant(organization_id, environment), {
      ...keyHashes.current(apiKeyDigest(key)),
      userId: creator.user_id,
      name,
      description,
      prefix: key_prefix,
      scopes,
      expiresAt: input.expires_at,
      at: clock.now(),
    });
    return { key_id, key, key_prefix, scopes };
  });
