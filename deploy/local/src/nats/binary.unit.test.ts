import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { testFolders } from '@stanza/test-kit/local/folder';
import { findNats } from './binary.ts';

const newFolder = testFolders();

const serverSaying = async (version: string): Promise<string> => {
  const file = join(await newFolder(), 'nats-server');
  await writeFile(file, `#!/bin/sh\necho "nats-server: v${version}"\n`);
  await chmod(file, 0o755);
  return file;
};

describe('the NATS server program', () => {
  it('is that of NATS_SERVER_BIN', async () => {
    const path = await serverSaying('2.12.3');
    const found = await findNats({ NATS_SERVER_BIN: path });
    expect(found).toEqual({ path, version: '2.12.3', origin: 'NATS_SERVER_BIN' });
  });

  it('is refused when NATS_SERVER_BIN is too old, or not a NATS server', async () => {
    const old = await serverSaying('2.9.25');
    await expect(findNats({ NATS_SERVER_BIN: old })).rejects.toThrow('which is version 2.9.25');
    await expect(findNats({ NATS_SERVER_BIN: '/nowhere/x' })).rejects.toThrow('which is not a NATS server');
  });
});
