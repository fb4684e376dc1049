import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { withClient } from '@stanza/local/database-client';
import { type PreparedPostgres, startPostgres } from '@stanza/local/postgres/start';
import { urlFor } from '@stanza/local/provision';
import { silentLogger } from '@stanza/runtime';
import { testFolders } from '@stanza/test-kit/local/folder';
import { makeSecrets } from './make-secrets.ts';
import { setUp } from './set-up.ts';

const newFolder = testFolders(() => postgres.process.stop());
const log = silentLogger();
let postgres: PreparedPostgres;

beforeAll(async () => {
  const folder = await newFolder();
  postgres = await startPostgres({ folder, logFile: `${folder}/postgres.log`, password: 'secret' });
});

const addresses = () => ({ databaseUrl: postgres.url, natsUrl: 'nats://nats.example:4222' });

describe('the set-up of an external database', () => {
  it('gives each service access by the address in its folder, however often it runs', async () => {
    const folder = await newFolder();
    await makeSecrets(folder, addresses(), {});
    await setUp(folder, addresses(), { alone: false, log });
    await setUp(folder, addresses(), { alone: true, log });
    const url = await readFile(join(folder, 'template/database-url'), 'utf8');
    const { rows } = await withClient(url, (client) =>
      client.query('select current_user as user, count(*)::int as templates from templates'),
    );
    expect(rows).toEqual([{ user: 'stanza_template', templates: 0 }]);
  });

  it('names the user whose password is wrong, and shows no password', async () => {
    const folder = await newFolder();
    await makeSecrets(folder, addresses(), {});
    const user = new URL(postgres.url).username;
    const wrong = { ...addresses(), databaseUrl: urlFor(postgres.url, user, 'not-it') };
    const failing = setUp(folder, wrong, { alone: false, log });
    await expect(failing).rejects.toThrow(`password authentication failed for user "${user}"`);
    await expect(failing).rejects.not.toThrow('not-it');
  });
});
