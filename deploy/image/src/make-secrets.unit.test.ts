import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { serviceNames } from '@stanza/contracts';
import { readSecrets } from '@stanza/local/secrets';
import { testFolders } from '@stanza/test-kit/local/folder';
import { givenSecrets, makeSecrets, secretsFile } from './make-secrets.ts';
import { ownerUrl } from './secret-files.ts';

const newFolder = testFolders();
const addresses = { databaseUrl: 'postgres://stanza@db.example:5432/stanza', natsUrl: 'nats://nats:4222' };

const made = async (given = {}) => {
  const folder = await newFolder();
  await makeSecrets(folder, addresses, given);
  return { folder, read: (path: string) => readFile(join(folder, path), 'utf8') };
};

describe('the keys of the containers', () => {
  it('are created once: a second run changes none', async () => {
    const { folder, read } = await made();
    const first = await read('gateway/database-url');
    await makeSecrets(folder, addresses, {});
    expect(await read('gateway/database-url')).toBe(first);
    expect(first).toMatch(/^postgres:\/\/stanza_gateway:[\w-]{32}@db\.example:5432\/stanza$/);
  });

  it('are kept when they are given, also when they are not given again', async () => {
    const given = givenSecrets({ STANZA_ENCRYPTION_KEYS: 'mine:AAAA', STANZA_KEY_HASH_SECRETS: '' });
    const { folder, read } = await made(given);
    await makeSecrets(folder, addresses, givenSecrets({}));
    expect(await read('delivery/encryption-keys')).toBe('mine:AAAA');
    expect(await read('organization/key-hash-secrets')).toMatch(/^k1:/);
  });

  it('Keys that are given later are refused where they share none with those in use', async () => {
    const { folder, read } = await made();
    const inUse = await read('organization/key-hash-secrets');
    const foreign = givenSecrets({ STANZA_KEY_HASH_SECRETS: 'mine:AAAA' });
    await expect(makeSecrets(folder, addresses, foreign)).rejects.toMatchObject({
      message: expect.stringMatching(/^STANZA_KEY_HASH_SECRETS has none of the keys in use/),
    });
    expect(readSecrets(secretsFile(folder)).key_hash_secrets).toBe(inUse);
    for (const rotated of [`${inUse},mine:AAAA`, `mine:AAAA, ${inUse}`, 'mine:AAAA']) {
      await makeSecrets(folder, addresses, givenSecrets({ STANZA_KEY_HASH_SECRETS: rotated }));
      expect(await read('organization/key-hash-secrets')).toBe(rotated);
    }
  });

  it('are in one folder for each process, without secrets of another process', async () => {
    const { folder, read } = await made();
    const secrets = readSecrets(secretsFile(folder));
    for (const name of serviceNames) {
      const others = serviceNames.filter((it) => it !== name).map((it) => secrets.nats[it] ?? 'missing');
      const held = await read(`${name}/nats-password`);
      expect(others).not.toContain(held);
      expect((await stat(join(folder, name, 'nats-password'))).mode & 0o777).toBe(0o400);
    }
  });

  it('configure the broker with the passwords of its users', async () => {
    const { read } = await made();
    const config = await read('nats/nats.conf');
    expect(JSON.parse(config)).toMatchObject({ listen: '0.0.0.0:4222' });
    expect(config).toContain(await read('template/nats-password'));
    expect(await read('operator/nats-url')).toMatch(/^nats:\/\/admin:[\w-]{32}@nats:4222$/);
  });

  it('prefer the password in the database address', async () => {
    const { folder } = await made();
    const secrets = readSecrets(secretsFile(folder));
    const given = { ...addresses, databaseUrl: 'postgres://owner:mine@db.example:5432/stanza' };
    expect(ownerUrl(given, secrets)).toBe('postgres://owner:mine@db.example:5432/stanza');
    expect(ownerUrl(addresses, secrets)).toBe(`postgres://stanza:${secrets.postgres}@db.example:5432/stanza`);
  });
});
