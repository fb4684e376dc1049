import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { limits } from '@stanza/test-kit/limits';
import { testFolders } from '@stanza/test-kit/local/folder';
import { type HeldStack, holdStack } from '@stanza/test-kit/local/held-stack';
import { survivors } from '@stanza/test-kit/local/processes';
import { withClient } from './database-client.ts';
import { type Stack, type StackOptions, startStack } from './stack.ts';
import { waitUntil } from './wait.ts';

const newFolder = testFolders();
const stacks: Stack[] = [];
const held: HeldStack[] = [];

const startIn = async (directory: string, more: Partial<StackOptions> = {}): Promise<Stack> => {
  const stack = await startStack({ directory, services: [], ...more });
  stacks.push(stack);
  return stack;
};

const hold = async (directory: string): Promise<HeldStack> => {
  const stack = await holdStack(directory);
  held.push(stack);
  return stack;
};

afterEach(async () => {
  for (const stack of stacks.splice(0)) await stack.stop();
  for (const { supervisor } of held.splice(0)) supervisor.kill('SIGKILL');
});

const answers = (url: string): Promise<boolean> => withClient(url, async () => true).catch(() => false);

describe('a stack', () => {
  it('writes its addresses for scripts, and deletes them at the stop', async () => {
    const directory = await newFolder();
    const file = join(directory, 'stack.json');
    const stack = await startIn(directory);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(Object.keys(stack.info.pids).sort()).toEqual(['nats', 'postgres']);
    expect(await answers(stack.info.database_url)).toBe(true);
    await stack.stop();
    expect(existsSync(file)).toBe(false);
    expect(await survivors(Object.values(stack.info.pids))).toEqual([]);
  });

  it('runs once in a folder', async () => {
    const directory = await newFolder();
    const { supervisor } = await hold(directory);
    await expect(startIn(directory)).rejects.toThrow(
      `already runs in ${directory} (process ${supervisor.pid})`,
    );
  });

  it('leaves no process behind when its supervisor is killed, and starts again with its data', async () => {
    const directory = await newFolder();
    const first = await hold(directory);
    await withClient(first.info.database_url, (client) => client.query('create table kept ()'));
    first.supervisor.kill('SIGKILL');
    await once(first.supervisor, 'exit');
    const second = await startIn(directory);
    expect(await survivors(Object.values(first.info.pids))).toEqual([]);
    await withClient(second.info.database_url, (client) => client.query('select from kept'));
  });

  it('stops in order with its supervisor', async () => {
    const { supervisor, info } = await hold(await newFolder());
    supervisor.kill('SIGTERM');
    expect(await waitUntil(() => supervisor.exitCode === 0, { timeoutMs: limits.conditionMs })).toBe(true);
    expect(await survivors(Object.values(info.pids))).toEqual([]);
  });

  it('restarts a process that dies, on the same port, and publishes the new number', async () => {
    const directory = await newFolder();
    const stack = await startIn(directory);
    const before = stack.info.pids.postgres;
    stack.kill('postgres', 'SIGKILL');
    const restarted = () => stack.info.pids.postgres !== before && stack.process('postgres').ready;
    expect(await waitUntil(restarted, { timeoutMs: limits.conditionMs })).toBe(true);
    expect(await answers(stack.info.database_url)).toBe(true);
  });

  it('whose start is interrupted leaves no process behind', async () => {
    const directory = await newFolder();
    const interruption = new AbortController();
    const starting = startIn(directory, { signal: interruption.signal });
    interruption.abort();
    await expect(starting).rejects.toThrow('The start was interrupted.');
    await startIn(directory);
  });

  it('uses a given database and broker', async () => {
    const given = await startIn(await newFolder());
    const { database_url, nats_url } = given.info;
    const stack = await startIn(await newFolder(), {
      env: { DATABASE_URL: database_url, NATS_URL: nats_url },
    });
    expect(stack.processes).toEqual([]);
    expect(stack.info).toMatchObject({ database_url, nats_url });
  });

  it('names the rights that a given database user lacks', async () => {
    const given = await startIn(await newFolder());
    await withClient(given.info.database_url, (client) =>
      client.query(`create role weak login password 'w'`),
    );
    const url = new URL(given.info.database_url);
    url.username = 'weak';
    url.password = 'w';
    await withClient(given.info.database_url, (client) =>
      client.query('grant connect on database stanza to weak'),
    );
    await expect(startIn(await newFolder(), { env: { DATABASE_URL: url.href } })).rejects.toThrow(
      'The database user weak lacks CREATEROLE and CREATE on the database.',
    );
  });
});
