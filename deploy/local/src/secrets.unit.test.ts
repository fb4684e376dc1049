import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { testFolders } from '@stanza/test-kit/local/folder';
import { loadSecrets } from './secrets.ts';

const newFolder = testFolders();
const users = { roles: ['stanza_gateway'], nats: ['gateway', 'admin'] };

describe('the secrets of a stack', () => {
  it('are created once and readable only by their owner', async () => {
    const file = join(await newFolder(), 'secrets.json');
    const first = await loadSecrets(file, users);
    expect(await loadSecrets(file, users)).toEqual(first);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(new Set([first.postgres, ...Object.values(first.roles), ...Object.values(first.nats)]).size).toBe(
      4,
    );
  });

  it('get a password for a new user, and keep the others', async () => {
    const file = join(await newFolder(), 'secrets.json');
    const first = await loadSecrets(file, users);
    const second = await loadSecrets(file, { ...users, nats: [...users.nats, 'delivery'] });
    expect(second.nats).toMatchObject(first.nats);
    expect(second.nats.delivery).toHaveLength(32);
  });

  it('are never replaced when the file is unreadable', async () => {
    const file = join(await newFolder(), 'secrets.json');
    await writeFile(file, '{"postgres": ');
    await expect(loadSecrets(file, users)).rejects.toThrow('cannot be read as the secrets of a stack');
  });
});
