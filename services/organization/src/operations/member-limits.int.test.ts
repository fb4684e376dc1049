import { describe, expect, it } from '@jest/globals';
import { type Principal, scimSchemas, scopesOfRole } from '@stanza/contracts';
import { sharedByTests } from '@stanza/test-kit/shared';
import { v7 as uuidv7 } from 'uuid';
import { configuredTiers } from '../domain/tiers.ts';
import { found, openWorld, runAs } from '../testing/world.ts';
import { createScimUser } from './create-scim-user.ts';
import { deleteScimUser } from './delete-scim-user.ts';
import { inviteMember } from './invite-member.ts';
import { patchScimUser } from './patch-scim-user.ts';

const tiers = configuredTiers.parse(
  '{"pro": {"stored": {"members": 2}}, "free": {"stored": {"members": 2}}}',
);
const refused = { code: 'tier_limit', status: 429 };

describe('members of an organization', () => {
  const world = sharedByTests(openWorld);

  const providerOf = async (): Promise<Principal> => {
    const { id, ownerId } = await found(world());
    return {
      organization_id: id,
      environment: 'production',
      actor: { type: 'api_key', id: uuidv7(), user_id: ownerId },
      role: 'owner',
      scopes: [...scopesOfRole('owner')],
    };
  };

  const add = (provider: Principal) =>
    runAs(createScimUser({ ...world(), tiers }), provider, {
      params: undefined,
      query: undefined,
      body: { schemas: [scimSchemas.user], userName: `ada-${uuidv7()}@example.com` },
    });

  it('members are as many as the tier allows, and a removed one makes room', async () => {
    const provider = await providerOf();
    const outcomes = await Promise.allSettled([add(provider), add(provider)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(add(provider)).rejects.toMatchObject(refused);
    const { id = '' } = outcomes.flatMap((it) => (it.status === 'fulfilled' ? [it.value] : []))[0] ?? {};
    const named = { params: { id }, query: undefined };
    const Operations = [{ op: 'replace' as const, path: 'active', value: false }];
    await runAs(patchScimUser(world()), provider, { ...named, body: { Operations } });
    await expect(add(provider)).rejects.toMatchObject(refused);
    await runAs(deleteScimUser(world()), provider, { ...named, body: undefined });
    await add(provider);
  });

  it('a person is not invited where the tier has no room for a member', async () => {
    const provider = await providerOf();
    await add(provider);
    const invited = runAs(inviteMember({ ...world(), tiers }), provider, {
      params: { id: provider.organization_id },
      query: undefined,
      body: { email: `grace-${uuidv7()}@example.com`, role: 'viewer' },
    });
    await expect(invited).rejects.toMatchObject(refused);
  });
});
