import { beforeEach, describe, expect, it } from '@jest/globals';
import { CodedError, type Principal } from '@stanza/contracts';
import { newContext } from '@stanza/runtime';
import { type FoundPrincipal, type LookUp, PrincipalCache } from './credentials.ts';

const principal = (organization: string): Principal => ({
  organization_id: organization,
  environment: 'production',
  actor: { type: 'api_key', id: 'key-1' },
  role: 'member',
  scopes: ['templates:read'],
});

/** An organization service that answers on the test's command. */
class Owner {
  asked = 0;
  readonly #waiting: { resolve: (found: FoundPrincipal) => void; reject: (error: Error) => void }[] = [];

  readonly find: LookUp = () => {
    this.asked += 1;
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  };

  answer(found: FoundPrincipal): void {
    this.#waiting.shift()?.resolve(found);
  }

  refuse(): void {
    this.#waiting.shift()?.reject(new CodedError('invalid_token'));
  }
}

describe('the cache of principals', () => {
  let owner: Owner;
  let time: { now: number };
  let principals: PrincipalCache;
  const context = newContext({ deadlineMs: 1_000 });

  beforeEach(() => {
    owner = new Owner();
    time = { now: 1_000_000 };
    principals = new PrincipalCache(
      { now: () => new Date(time.now), monotonic: () => time.now },
      { within: (_kind, _client, work) => work() },
    );
  });

  const load = async (organization = 'a', expires_at: string | null = null, name = 'digest') => {
    const found = principals.find(name, owner.find, context);
    owner.answer({ principal: principal(organization), expires_at });
    return found;
  };

  it('looks a key up once for uses within a minute', async () => {
    await load();
    await expect(principals.find('digest', owner.find, context)).resolves.toMatchObject({
      principal: principal('a'),
    });
    expect(owner.asked).toBe(1);
  });

  it('looks up again after a minute', async () => {
    await load();
    time.now += 60_001;
    await load();
    expect(owner.asked).toBe(2);
  });

  it('looks up once for concurrent requests', async () => {
    const all = Promise.all([
      principals.find('digest', owner.find, context),
      principals.find('digest', owner.find, context),
    ]);
    owner.answer({ principal: principal('a'), expires_at: null });
    await all;
    expect(owner.asked).toBe(1);
  });

  it('drops the keys of an organization whose access changed, and no others', async () => {
    await load('a');
    principals.forget('b');
    await principals.find('digest', owner.find, context);
    expect(owner.asked).toBe(1);
    principals.forget('a');
    await load('a');
    expect(owner.asked).toBe(2);
  });

  it('The cache drops every key of an organization whose access changed, also those looked up again', async () => {
    for (const name of ['one', 'two']) await load('a', null, name);
    time.now += 60_001;
    for (const name of ['one', 'two']) await load('a', null, name);
    principals.forget('a');
    for (const name of ['one', 'two']) await load('a', null, name);
    expect(owner.asked).toBe(6);
  });

  it('does not cache an entry whose organization changed during the lookup', async () => {
    const found = principals.find('digest', owner.find, context);
    principals.forget('a');
    owner.answer({ principal: principal('a'), expires_at: null });
    await found;
    await load();
    expect(owner.asked).toBe(2);
  });

  it('does not let a request after a change share an earlier lookup', async () => {
    const before = principals.find('digest', owner.find, context);
    principals.forget('a');
    const after = principals.find('digest', owner.find, context);
    owner.answer({ principal: principal('a'), expires_at: null });
    owner.refuse();
    await before;
    await expect(after).rejects.toMatchObject({ code: 'invalid_token' });
  });

  it('does not cache refusals', async () => {
    const refused = principals.find('digest', owner.find, context);
    owner.refuse();
    await expect(refused).rejects.toMatchObject({ code: 'invalid_token' });
    await expect(load()).resolves.toMatchObject({
      principal: principal('a'),
    });
  });

  it('refuses a cached key from its expiry on', async () => {
    await load('a', new Date(time.now + 5_000).toISOString());
    await principals.find('digest', owner.find, context);
    time.now += 5_000;
    await expect(principals.find('digest', owner.find, context)).rejects.toMatchObject({
      code: 'invalid_token',
    });
  });
});
