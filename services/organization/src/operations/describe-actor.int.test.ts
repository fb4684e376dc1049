import { describe, expect, it } from '@jest/globals';
import { sharedByTests } from '@stanza/test-kit/shared';
import { v7 as uuidv7 } from 'uuid';
import { found, openWorld, runInternal } from '../testing/world.ts';
import { addMember } from './add-member.ts';
import { createKey } from './create-key.ts';
import { describeActor } from './describe-actor.ts';
import { getOrganizationStatus } from './get-organization-status.ts';
import { revokeKey } from './revoke-key.ts';
import { setOrganizationStatus } from './set-organization-status.ts';

describe('describe-actor', () => {
  const world = sharedByTests(openWorld);

  /** What is answered about an actor; whoever reads the policies is answered the same. */
  const describeIt = async (organization_id: string, actor: object, more: object = {}) => {
    const holder = { environment: 'production', actor, scope: 'connections:write', ...more };
    const described = await runInternal(describeActor(world()), { organization_id, ...holder });
    const { may } = await runInternal(getOrganizationStatus(world()), { organization_id, holder });
    expect(may).toBe(described.may);
    return described;
  };
  const keyOf = async (organization_id: string, more: object = {}) => {
    const made = await runInternal(createKey(world()), { organization_id, name: 'a key', ...more });
    return { type: 'api_key', id: made.key_id };
  };

  it('lets a key continue as long as it holds the scope, in its own environment', async () => {
    const { id } = await found(world());
    const key = await keyOf(id);
    expect(await describeIt(id, key)).toEqual({
      organization_name: expect.stringMatching(/^Test /),
      may: true,
      user_email: null,
    });
    expect(await describeIt(id, key, { environment: 'preview' })).toMatchObject({ may: false });
    expect(await describeIt(id, await keyOf(id, { scopes: ['templates:read'] }))).toMatchObject({
      may: false,
    });
    await runInternal(revokeKey(world()), { organization_id: id, key_id: key.id });
    expect(await describeIt(id, key)).toMatchObject({ may: false });
  });

  it('lets no expired key continue', async () => {
    const { id } = await found(world());
    const expires_at = new Date(world().clock.now().getTime() - 1_000).toISOString();
    expect(await describeIt(id, await keyOf(id, { expires_at }))).toMatchObject({ may: false });
  });

  it('lets a person continue with the scopes of their role, in their own organizations only', async () => {
    const { id, ownerId } = await found(world());
    const other = await found(world());
    const person = (user_id: string) => ({ type: 'session', id: 'subject', user_id });
    const { user_id } = await runInternal(addMember(world()), {
      organization_id: id,
      email: `viewer-${uuidv7()}@example.com`,
      role: 'viewer',
    });
    expect(await describeIt(id, person(ownerId))).toMatchObject({ may: true });
    expect(await describeIt(id, person(user_id))).toMatchObject({
      may: false,
      user_email: expect.stringMatching(/^viewer-/),
    });
    expect(await describeIt(id, person(other.ownerId))).toMatchObject({ may: false, user_email: null });
    expect(await describeIt(other.id, await keyOf(id))).toMatchObject({ may: false });
  });

  it('lets no actor continue in a suspended organization, and answers not_found for an unknown one', async () => {
    const { id } = await found(world());
    const key = await keyOf(id);
    await runInternal(setOrganizationStatus(world()), { organization_id: id, status: 'suspended' });
    expect(await describeIt(id, key)).toMatchObject({ may: false });
    await expect(describeIt(uuidv7(), key)).rejects.toMatchObject({ code: 'organization_not_found' });
  });
});
