import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { StackInfo } from '@stanza/local';
import { readInfo } from '@stanza/local/info';
import { serviceRole, urlFor } from '@stanza/local/provision';
import { readSecrets, type StackSecrets } from '@stanza/local/secrets';
import pg from 'pg';
import { runPage } from '../docs/run-page.ts';
import type { Api } from '../kit/api.ts';
import { commandLine } from '../kit/local/command-line.ts';
import { openWorld, type World } from '../kit/stack.ts';
import { liveTemplate } from '../kit/templates.ts';
import { waitFor } from '../kit/wait.ts';

const role = serviceRole('delivery');

describe('the page on rotating keys', () => {
  let directory: string;
  let world: World | undefined;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'stanza-rotating-'));
    const { code, output } = await commandLine(directory)('start', '--port', '0', '--detach');
    if (code !== 0) throw new Error(output);
  });
  afterAll(async () => {
    await world?.close();
    await commandLine(directory)('stop');
    await rm(directory, { recursive: true, force: true });
  });

  const secrets = (): StackSecrets => readSecrets(join(directory, 'secrets.json'));

  const running = async (): Promise<StackInfo> => {
    const info = await readInfo(join(directory, 'stack.json'));
    if (info === undefined) throw new Error('no stack runs');
    return info;
  };

  /** Opens the stack as it runs now; what was opened before is closed. */
  const open = async (): Promise<World> => {
    await world?.close();
    world = await openWorld(await running());
    return world;
  };

  /** The status of a send, which takes delivery's database and the broker. */
  const sending = async (api: Api): Promise<() => Promise<number>> => {
    const { id } = await liveTemplate(api);
    const body = { template_id: id, channel_id: 'C0DEPLOYS', data: {} };
    return async () => (await api.post('/v1/templates/send', body)).status;
  };

  const alterRole = async ({ database }: World, password: string): Promise<void> => {
    await database.query(`alter role ${role} password '${password}'`);
    await database.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [role]);
  };

  it('says what a new password of a role does to processes that have the old one: 503, until they know it', async () => {
    const now = await open();
    const organization = await now.newOrganization();
    const send = await sending(now.api.with((await organization.key()).key));
    expect(await send()).toBe(200);
    await alterRole(now, 'another');
    await waitFor('sends to be refused', async () => (await send()) === 503);
    await alterRole(now, secrets().roles[role] ?? '');
    await waitFor('sends to go on', async () => (await send()) === 200);
  });

  it('says what a new password of a NATS user does to processes that have the old one: 503, until they know it', async () => {
    const { newOrganization, api } = await open();
    const organization = await newOrganization();
    const send = await sending(api.with((await organization.key()).key));
    const file = join(directory, 'nats/nats.conf');
    const { pids } = await running();
    const config = await readFile(file, 'utf8');
    const reload = async (text: string): Promise<void> => {
      await writeFile(file, text);
      process.kill(pids.nats ?? 0, 'SIGHUP');
    };
    await reload(config.replace(secrets().nats.delivery ?? '', 'another'));
    await waitFor('sends to be refused', async () => (await send()) === 503);
    await reload(config);
    await waitFor('sends to go on', async () => (await send()) === 200);
  });

  it('rotates an API key, the encryption of what is stored, and every password; the old ones are refused', async () => {
    const { newOrganization } = await open();
    const organization = await newOrganization();
    const [kept, old] = [await organization.key(), await organization.key()];
    const before = secrets();
    const { output } = await runPage('docs/rotating-keys.md', {
      values: { ORGANIZATION: organization.id, OLD: old.id },
      stackDirectory: directory,
    });
    expect(output).toContain('"unreadable": 0');

    const after = secrets();
    expect(after.encryption_keys).toBe(before.encryption_keys);
    const now = new Set([...Object.values(after.roles), ...Object.values(after.nats)]);
    const then = [...Object.values(before.roles), ...Object.values(before.nats)];
    expect([now.size, then.filter((password) => now.has(password))]).toEqual([then.length, []]);

    const { api } = await open();
    expect((await api.with(old.key).get('/v1/auth/validate')).status).toBe(401);
    expect(await (await sending(api.with(kept.key)))()).toBe(200);
    const info = await running();
    const client = new pg.Client(urlFor(info.database_url, role, before.roles[role] ?? ''));
    await expect(client.connect()).rejects.toMatchObject({ code: '28P01' });
    const asBefore = new URL(info.nats_url);
    asBefore.password = before.nats.admin ?? '';
    await expect(openWorld({ ...info, nats_url: asBefore.href })).rejects.toThrow(/authorization/i);
  });
});
