import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { commandLine } from '@stanza/test-kit/local/command-line';
import { testFolders } from '@stanza/test-kit/local/folder';
import type { CommandResult } from '@stanza/test-kit/local/output';
import { survivors } from '@stanza/test-kit/local/processes';
import { type StackDirectory, stackDirectory } from '../directory.ts';
import { lockHolder } from '../directory-lock.ts';
import { readInfo, type StackInfo } from '../info.ts';
import { freePorts, loopback } from '../ports.ts';

const homes: Home[] = [];

// Registered before the hook that deletes the folders, so it runs first.
afterAll(async () => {
  for (const { npmRun } of homes) await npmRun('stop');
});

const newFolder = testFolders();

/** A folder for a stack, with the commands of the checkout. */
interface Home {
  directory: StackDirectory;
  npmRun: (...words: string[]) => Promise<CommandResult>;
}

const newHome = async (): Promise<Home> => {
  const root = await newFolder();
  const home = { directory: stackDirectory(root), npmRun: commandLine(root) };
  homes.push(home);
  return home;
};

const infoOf = async ({ directory }: Home): Promise<StackInfo> => {
  const info = await readInfo(directory.info);
  if (info === undefined) throw new Error('No stack runs.');
  return info;
};

const migrationLog = ({ directory }: Home): Promise<string> =>
  readFile(join(directory.logs, 'migrate.log'), 'utf8');

const validate = async ({ base_url, organizations }: StackInfo): Promise<number> => {
  const authorization = `Bearer ${organizations[0]?.keys.owner}`;
  return (await fetch(`${base_url}/v1/auth/validate`, { headers: { authorization } })).status;
};

describe('npm start in the background', () => {
  let home: Home;
  let started: CommandResult;

  beforeAll(async () => {
    home = await newHome();
    started = await home.npmRun('start', '--port', '0', '--detach');
  });

  it('returns when everything is ready, with addresses, a working key, and a first request', async () => {
    const info = await infoOf(home);
    expect(started.output).toContain('Stanza is ready');
    expect(started.output).toContain(`${info.base_url}/v1`);
    expect(started.output).toContain(info.organizations[0]?.keys.owner);
    expect(started.code).toBe(0);
    expect(await validate(info)).toBe(200);
  });

  it('has sent a first message to the sandbox', async () => {
    const response = await fetch(`${(await infoOf(home)).sandbox_url}/control/messages`);
    expect(JSON.stringify(await response.json())).toContain('Stanza is up, Olivia');
  });

  it('a second time says that the stack already runs, and where', async () => {
    const { code, output } = await home.npmRun('start');
    expect(output).toMatch(/Already running.*process \d+/);
    expect(output).toContain((await infoOf(home)).base_url);
    expect(code).toBe(0);
  });

  it.each([['--port', '1'], ['--small']])(
    'A start does not drop %s while another stack runs',
    async (...words) => {
      const { code, output } = await home.npmRun('start', ...words);
      expect(output).toContain(`so none starts ${words.length > 1 ? 'on port 1' : 'with --small'}.`);
      expect(output).toContain('Run "npm stop" first.');
      expect(code).toBe(1);
    },
  );

  it('A start names npm stop where it does not know an option', async () => {
    const { code, output } = await home.npmRun('start', '--stop');
    expect(output).toMatch(/unknown option '--stop'.*"npm stop" stops/s);
    expect(code).toBe(1);
  });

  it('does not delete the data of a running stack', async () => {
    const { code, output } = await home.npmRun('start', '--fresh');
    expect(output).toContain('Run "npm stop" first.');
    expect(code).toBe(1);
  });
});

describe('npm start', () => {
  it('after a killed run leaves no processes behind, keeps organizations and keys, and is stopped by npm stop', async () => {
    const home = await newHome();
    await home.npmRun('start', '--port', '0', '--detach');
    const before = await infoOf(home);
    const migrated = await migrationLog(home);
    const supervisor = lockHolder(home.directory.lock)?.pid ?? 0;
    process.kill(supervisor, 'SIGKILL');
    expect(await survivors([supervisor, ...Object.values(before.pids)])).toEqual([]);

    await home.npmRun('start', '--port', '0', '--detach');
    const after = await infoOf(home);
    expect(after.organizations).toEqual(before.organizations);
    expect(await validate(after)).toBe(200);
    // The schemas are those of the build already, so that no process looks for migrations.
    expect(await migrationLog(home)).toBe(migrated);

    expect((await home.npmRun('stop')).output).toContain('all processes have ended');
    expect(await survivors(Object.values(after.pids))).toEqual([]);
    expect(await home.npmRun('stop')).toMatchObject({ code: 0, output: '  No stack runs.\n' });
  });

  it('names the process on its port', async () => {
    const [port = 0] = await freePorts(1);
    const server = createServer().listen(port, loopback);
    await once(server, 'listening');
    const { code, output } = await (await newHome()).npmRun('start', '--port', String(port));
    server.close();
    expect(output).toContain(`Port ${port} is taken by process ${process.pid}`);
    expect(code).toBe(1);
  });

  it('takes no empty text for a port, which an unset variable of a script leaves', async () => {
    const { code, output } = await (await newHome()).npmRun('start', '--port', '');
    expect(output).toContain('A port is a number from 0 to 65535');
    expect(code).toBe(1);
  });

  it('refuses unreadable secrets, and starts again with --fresh', async () => {
    const home = await newHome();
    await writeFile(home.directory.secrets, 'not what it should be');
    const refused = await home.npmRun('start', '--port', '0', '--detach');
    expect(refused.output).toContain('npm start -- --fresh');
    expect(refused.code).toBe(1);
    const { code } = await home.npmRun('start', '--port', '0', '--detach', '--fresh');
    expect(code).toBe(0);
    expect(await validate(await infoOf(home))).toBe(200);
  });
});
