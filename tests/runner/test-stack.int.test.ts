import { dirname } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { type CallerName, inboxPrefixOf } from '@stanza/contracts';
import { withClient } from '@stanza/local/database-client';
import { stackDirectory } from '@stanza/local/directory';
import { parseNatsUrl } from '@stanza/local/nats/address';
import { maxPayload, natsUsers } from '@stanza/local/nats/config';
import { serverSettings } from '@stanza/local/postgres/settings';
import { serviceRole, urlFor } from '@stanza/local/provision';
import { readSecrets, type StackSecrets } from '@stanza/local/secrets';
import { testStack } from '../kit/database.ts';

const secretsOfStack = (): StackSecrets =>
  readSecrets(stackDirectory(dirname(process.env.STANZA_TEST_STACK ?? '')).secrets);

const connectAs = (user: CallerName, pass = secretsOfStack().nats[user] ?? ''): Promise<NatsConnection> =>
  connect({
    servers: parseNatsUrl(testStack().nats_url).url,
    user,
    pass,
    reconnect: false,
    inboxPrefix: inboxPrefixOf(user),
  });

/** What holds of the embedded servers and of those in containers (STANZA_TEST_CONTAINERS). */
describe('the Postgres of the test stack', () => {
  it('is of the supported version, with our settings but for the disk, and sorts by code point', async () => {
    const { rows } = await withClient(testStack().database_url, async (client) => {
      const { rows: settings } = await client.query<{ name: string; value: string }>(
        'select name, current_setting(name) as value from pg_settings where name = any($1)',
        [Object.keys(serverSettings)],
      );
      expect(Object.fromEntries(settings.map(({ name, value }) => [name, value]))).toMatchObject({
        max_connections: serverSettings.max_connections,
        max_wal_size: serverSettings.max_wal_size,
        shared_buffers: serverSettings.shared_buffers,
        log_parameter_max_length: serverSettings.log_parameter_max_length,
      });
      return client.query(`
        select current_setting('server_version_num')::int / 10000 as version,
               current_setting('fsync') as fsync,
               current_setting('synchronous_commit') as synchronous_commit,
               current_setting('timezone') as timezone,
               'B' < 'a' as by_code_point
      `);
    });
    expect(rows).toEqual([
      { version: 18, fsync: 'off', synchronous_commit: 'on', timezone: 'UTC', by_code_point: true },
    ]);
  });

  it('lets no role of a service make a schema', async () => {
    const role = serviceRole('template');
    const url = urlFor(testStack().database_url, role, secretsOfStack().roles[role] ?? '');
    const making = withClient(url, (client) => client.query('create schema mine'));
    await expect(making).rejects.toThrow('permission denied for database');
  });
});

describe('the NATS of the test stack', () => {
  it.each(natsUsers)(
    'takes %s with its password and our largest message, and stores nothing',
    async (user) => {
      const connection = await connectAs(user);
      expect(connection.info?.jetstream).not.toBe(true);
      expect(connection.info).toMatchObject({
        max_payload: maxPayload,
        server_name: 'stanza',
      });
      await connection.close();
    },
  );

  it('refuses the password of another user', async () => {
    await expect(connectAs('template', secretsOfStack().nats.gateway)).rejects.toThrow(/authorization/i);
  });

  it.each(['rpc.organization.*', `${inboxPrefixOf('gateway')}.>`, '>'])(
    'refuses %s to a user whose service does not hear it',
    async (subject) => {
      const connection = await connectAs('template');
      const subscription = connection.subscribe(subject, { callback: () => {} });
      await connection.flush();
      expect(subscription.isClosed()).toBe(true);
      expect(String(await subscription.closed)).toMatch(/permissions? violation/i);
      await connection.close();
    },
  );
});
