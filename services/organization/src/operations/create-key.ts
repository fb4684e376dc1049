import { notFound, createKey as operation, scopesOfRole } from '@stanza/contracts';
import { handle, Tenant } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { scopesWithin } from '../domain/key-grants.ts';
import { issueKey } from '../issue-key.ts';
import { holdMember } from '../store/members.ts';
import { findOrganization } from '../store/organizations.ts';

/** Creates a key for an operator, in the name of any member. */
export const createKey = ({
  database,
  clock,
  keyHashes,
}: Pick<Dependencies, 'database' | 'clock' | 'keyHashes'>) =>
  handle(operation, async ({ input, context }) =>
    database.transaction(async (tx) => {
      const { organization_id, environment, name, description } = input;
      const organization = await findOrganization(tx, organization_id);
      if (!organization) throw notFound('organization');
      const creator = await holdMember(tx, organization_id, input.user_id);
      if (!creator) throw notFound('user');
      const scopes = scopesWithin(creator.role, input.scopes ?? scopesOfRole(creator.role));
      const issued = await issueKey(tx, keyHashes, new Tenant(organization_id, environment), context, {
        userId: creator.user_id,
        name,
        description,
        scopes,
        allowedAddresses: input.allowed_addresses ?? [],
        expiresAt: input.expires_at,
        at: clock.now(),
      });
      return { key_id: issued.id, key: issued.key, key_prefix: issued.prefix, scopes };
    }),
  );
