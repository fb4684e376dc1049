import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listApiKeys as operation } from '@stanza/contracts';
import { createDataSource, newId, silentLogger } from '@stanza/runtime';
import { listApiKeys } from '../../operations/list-api-keys.ts';
import { found, openWorld, run, type World } from '../../testing/world.ts';
import { entities } from '../entities.ts';
import { KeyParents1800010000001 } from './1800010000001-key-parents.ts';
import { KeyChildren1800010000002 } from './1800010000002-key-children.ts';
import { migrations } from './index.ts';

describe('keys of the version before', () => {
  let world: World;

  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());

  /** As the version before stores a key: it knows of no parent. */
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

  it('have no parent, whether they were there before the migration or come while both versions run', async () => {
    const { id, ownerId } = await found(world);
    const source = createDataSource({
      url: world.ownerUrl,
      schema: 'organization',
      entities,
      migrations,
      pool: 1,
      session: {},
      applicationName: 'test',
      log: silentLogger(),
    });
    await source.initialize();
    const runner = source.createQueryRunner();
    await new KeyChildren1800010000002().down(runner);
    await new KeyParents1800010000001().down(runner);
    const before = await store(id, ownerId);
    await new KeyParents1800010000001().up(runner);
    await new KeyChildren1800010000002().up(runner);
    await source.destroy();
    const beside = await store(id, ownerId);
    const input = { params: undefined, query: { limit: 20, offset: 0 }, body: undefined };
    const listed = operation.reply.parse(await run(listApiKeys(world), input, { organizationId: id }));
    expect(listed.data.map((key) => [key.id, key.parent_key_id, key.status])).toEqual([
      [beside, null, 'active'],
      [before, null, 'active'],
    ]);
  });
});
