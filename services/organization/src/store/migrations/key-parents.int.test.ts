import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listApiKeys as operation } from '@stanza/contracts';
import { newId } from '@stanza/runtime';
import { asOwner } from '@stanza/test-kit/service-world';
import { listApiKeys } from '../../operations/list-api-keys.ts';
import { found, openWorld, run, type World } from '../../testing/world.ts';
import { KeyParents1800010000001 } from './1800010000001-key-parents.ts';
import { KeyChildren1800010000002 } from './1800010000002-key-children.ts';

describe('keys of the previous version', () => {
  let world: World;

  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());

  /** Stores a key like the previous version, without a parent. */
  const store = async (organizationId: string, userId: string): Promise<string> => {
    const id = newId();
    await world.rows(
      `insert into api_keys (id, organization_id, environment, user_id, name, description, prefix,
         hash, hash_key_id, scopes, expires_at, created_at)
       values ($1, $2, 'production', $3, 'older', null, 'stz_live_', $4, 'k1', '{templates:read}', null, now())`,
      [id, organizationId, userId, randomBytes(32)],
    );
    return id;
  };

  it('have no parent, whether they existed before the migration or are created while both versions run', async () => {
    const { id, ownerId } = await found(world);
    const before = await asOwner('organization', world.ownerUrl, async (runner) => {
      await new KeyChildren1800010000002().down(runner);
      await new KeyParents1800010000001().down(runner);
      const older = await store(id, ownerId);
      await new KeyParents1800010000001().up(runner);
      await new KeyChildren1800010000002().up(runner);
      return older;
    });
    const beside = await store(id, ownerId);
    const input = { params: undefined, query: { limit: 20, offset: 0 }, body: undefined };
    const listed = operation.reply.parse(await run(listApiKeys(world), input, { organizationId: id }));
    expect(listed.data.map((key) => [key.id, key.parent_key_id, key.status])).toEqual([
      [beside, null, 'active'],
      [before, null, 'active'],
    ]);
  });
});
