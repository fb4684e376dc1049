import { apiKeyDigest, type Principal, scopesOfRole } from '@stanza/contracts';
import { v7 as uuidv7 } from 'uuid';
import { addMember } from '../operations/add-member.ts';
import { authenticateKey } from '../operations/authenticate-key.ts';
import { createKey } from '../operations/create-key.ts';
import { found, runInternal, type World } from './world.ts';

/** Creates a key of an organization, its owner's unless `more` says otherwise. */
export const keyOf = (world: World, organizationId: string, more: object = {}) =>
  runInternal(createKey(world), { organization_id: organizationId, name: 'a key', ...more });

/** Answers whose a key is, as for a request that carries it. */
export const authenticate = (world: World, key: string) =>
  runInternal(authenticateKey(world), { key_digest: apiKeyDigest(key) });

/** Adds a member to an organization. */
export const newMember = (
  world: World,
  organizationId: string,
  role: string,
  email = `${role}-${uuidv7()}@example.com`,
) => runInternal(addMember(world), { organization_id: organizationId, email, role, first_name: 'Mel' });

/** The owner of a new organization, with a session in production. */
export const newOwner = async (world: World): Promise<Principal> => {
  const { id, ownerId } = await found(world);
  return {
    organization_id: id,
    environment: 'production',
    actor: { type: 'session', id: 'olive', user_id: ownerId },
    role: 'owner',
    scopes: [...scopesOfRole('owner')],
  };
};
