import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type StackDirectory, stackDirectory } from '../directory.ts';
import { lockHolder } from '../directory-lock.ts';
import { readInfo, type StackInfo } from '../info.ts';
import { freePorts, loopback } from '../ports.ts';
import { commandLine } from '../testing/command-line.ts';
import { testFolders } from '../testing/folder.ts';
import { survivors } from '../testing/processes.ts';

const newFolder = testFolders();
let directory: StackDirectory;
let npmRun: ReturnType<typeof commandLine>;

beforeAll(async () => {
  directory = stackDirectory(await newFolder());
  npmRun = commandLine(directory.root);
});

afterAll(async () => {
  await npmRun('stop');
});

const runningInfo = async (): Promise<StackInfo> => {
  const info = await readInfo(directory.info);
  if (info === undefined) throw new Error('No stack runs.');
  return info;
};

const validate = async ({ base_url, organizations }: StackInfo) => {
  const response = await fetch(`${base_url}/v1/auth/validate`, {
    headers: { authorization: `Bearer ${organizations[0]?.keys.owner}` },
  });
  return response.status;
};

describe('npm start', () => {
  it('in the background returns when everything is ready, with addresses, a key and what to try', async () => {
    const { code, output } = await npmRun('start', '--port', '0', '--detach');
    expect(output).toContain('Stanza is ready');
    expect(code).toBe(0);
    const info = await runningInfo();
    expect(output).toContain(`${info.base_url}/v1`);
    expect(output).toContain(info.organizations[0]?.keys.owner);
    expect(await validate(info)).toBe(200);
  });

  it('sends a first message to the sandbox', async () => {
    const response = await fetch(`${(await runningInfo()).sandbox_url}/control/messages`);
    expect(JSON.stringify(await response.json())).toContain('Stanza is up, Olivia');
  });

  it('a second time says that it runs already, and where', async () => {
    const { code, output } = await npmRun('start');
    expect(output).toMatch(/Already running.*process \d+/);
    expect(output).toContain((await runningInfo()).base_url);
    expect(code).toBe(0);
  });

  it('does not delete the data of what runs', async () => {
    const { code, output } = await npmRun('start', '--fresh');
    expect(output).toContain('Run "npm stop" first.');
    expect(code).toBe(1);
  });

  it('after a killed run leaves nothing behind and keeps organizations and keys', async () => {
    const before = await runningInfo();
    const supervisor = lockHolder(directory.lock);
    process.kill(supervisor?.pid ?? 0, 'SIGKILL');
    expect(await survivors([supervisor?.pid ?? 0, ...Object.values(before.pids)])).toEqual([]);
    const { code } = await npmRun('start', '--port', '0', '--detach');
    expect(code).toBe(0);
    const after = await runningInfo();
    expect(after.organizations).toEqual(before.organizations);
    expect(await validate(after)).toBe(200);
  });

  it('is ended by npm stop, which may be said twice', async () => {
    const { pids } = await runningInfo();
    expect((await npmRun('stop')).output).toContain('everything is down');
    expect(await survivors(Object.values(pids))).toEqual([]);
    expect(await npmRun('stop')).toEqual({ code: 0, output: '  Nothing runs.\n' });
  });

  it('says who has taken its port', async () => {
    const [port = 0] = await freePorts(1);
    const server = createServer().listen(port, loopback);
    await once(server, 'listening');
    const { code, output } = await npmRun('start', '--port', String(port));
    server.close();
    expect(output).toContain(`Port ${port} is taken by process ${process.pid}`);
    expect(code).toBe(1);
  });

  it('begins anew with --fresh', async () => {
    const before = await readFile(directory.secrets, 'utf8');
    const { code } = await npmRun('start', '--port', '0', '--detach', '--fresh');
    expect(code).toBe(0);
    expect(await readFile(directory.secrets, 'utf8')).not.toBe(before);
  });
});
