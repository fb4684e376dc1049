import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encryptionKeys, statement } from '@stanza/runtime';
import { inProcessRpc } from '@stanza/test-kit/database';
import { waitFor } from '@stanza/test-kit/wait';
import { openWorld, type World } from '../testing/world.ts';
import { ConsoleProvider } from './provider.ts';
import { ConsoleSessions } from './sessions.ts';

describe('a session of a person in the console', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());

  /** The sessions of a gateway whose people sign in at this provider. */
  const sessionsAt = (issuer: string): ConsoleSessions => {
    const clientId = 'stanza-console';
    const known = { issuer, discoveryUrl: issuer, clientId, clientSecret: undefined };
    const provider = new ConsoleProvider({ ...known, redirectUri: 'http://127.0.0.1/console/auth/callback' });
    const keys = encryptionKeys.parse(`k1:${Buffer.alloc(32, 1).toString('base64')}`);
    const { database, outbox, log } = world;
    return new ConsoleSessions(
      { database, outbox, log, rpc: inProcessRpc([]) },
      { issuer, clientId, provider, keys },
    );
  };
  const [first, second] = ['https://one.example.com', 'https://other.example.com'];
  const person = {
    subject: 'u-1',
    email: 'ada@example.com',
    email_verified: true,
    refreshToken: undefined,
    lifeS: 3_600,
  };
  const request = { requestId: 'r', client: { address: null, user_agent: null }, at: new Date() };

  it('a session counts with the provider of its sign-in alone, whatever subject another provider has', async () => {
    const cookie = await sessionsAt(first).beginPerson(person, request);
    await expect(sessionsAt(second).find(cookie)).rejects.toMatchObject({ code: 'invalid_token' });
    expect(await sessionsAt(first).find(cookie)).toMatchObject({ person: { issuer: first, subject: 'u-1' } });
    await sessionsAt(second).end(cookie, request);
    const rows = await world.rows<{ payload: object }>('select payload from outbox order by id');
    expect(rows.map(({ payload }) => payload)).toMatchObject([
      { outcome: 'signed_in', who: { issuer: first } },
      { outcome: 'signed_out', who: { issuer: first } },
    ]);
  });

  it('a session does not end for those of the same subject at another provider', async () => {
    const cookie = await sessionsAt(first).beginPerson(person, request);
    for (let sessions = 0; sessions < 50; sessions += 1)
      await sessionsAt(second).beginPerson(person, request);
    expect(await sessionsAt(first).find(cookie)).toMatchObject({ kind: 'person' });
  });

  it('a request after a long pause waits while another one asks the provider, and goes on with its answer', async () => {
    const sessions = sessionsAt(first);
    const cookie = await sessions.beginPerson(person, request);
    await world.rows(
      "update console_sessions set vouched_until = clock_timestamp() - interval '2 hours' returning 1",
    );
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    const renewal = statement(
      'test-renewal-elsewhere',
      `update console_sessions
       set renewing_until = clock_timestamp() + interval '15 s', vouched_until = clock_timestamp() + interval '1 hour'`,
    );
    const other = world.database.transaction(async (tx) => {
      await tx.query(renewal, []);
      await answered;
    });
    const found = sessions.find(cookie);
    await waitFor('the request to wait', async () => {
      const waiting = await world.rows(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return waiting.length > 0;
    });
    answer();
    await other;
    await expect(found).resolves.toMatchObject({ person: { subject: 'u-1' } });
  });

  it('a session of the previous version, which stored no provider, continues with the configured one', async () => {
    const cookie = await sessionsAt(first).beginPerson(person, request);
    await world.rows('update console_sessions set issuer = null returning 1');
    expect(await sessionsAt(second).find(cookie)).toMatchObject({ person: { issuer: second } });
  });
});
