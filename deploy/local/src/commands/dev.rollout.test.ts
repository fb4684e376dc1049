import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testFolders } from '@stanza/test-kit/local/folder';
import { survivors } from '@stanza/test-kit/local/processes';
import { scratchCheckout } from '@stanza/test-kit/local/scratch-checkout';
import { type StackDirectory, stackDirectory } from '../directory.ts';
import { inheritedEnvironment } from '../environment.ts';
import { readInfo, type StackInfo } from '../info.ts';

const newFolder = testFolders();

/** A command of a scratch checkout, with its output. */
class Command {
  readonly child: ChildProcess;
  readonly ended: Promise<unknown>;
  #text = '';
  #read = 0;
  #wake = (): void => {};

  constructor(root: string, directory: string, words: readonly string[], env: Record<string, string> = {}) {
    this.child = spawn(process.execPath, ['deploy/local/dist/cli.js', ...words], {
      cwd: root,
      env: { ...inheritedEnvironment(), STANZA_DIRECTORY: directory, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.ended = once(this.child, 'close').then(() => this.#wake());
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#text += text;
        this.#wake();
      });
    }
  }

  /** Waits for a match after that of the last call, and returns it. */
  async until(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = pattern.exec(this.#text.slice(this.#read));
      if (found !== null) {
        this.#read += found.index + found[0].length;
        return found;
      }
      if (this.child.exitCode !== null) throw new Error(`It has ended:\n${this.#text}`);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

describe('npm run dev', () => {
  let root: string;
  let directory: StackDirectory;
  let dev: Command;
  let inspector: string;

  const command = (...words: string[]): Command => new Command(root, directory.root, words);

  beforeAll(async () => {
    root = await newFolder();
    directory = stackDirectory(await newFolder());
    await scratchCheckout(root);
    dev = command('dev', '--port', '0', '--inspect', 'template');
    inspector =
      (await dev.until(/inspector of template listens on (?<address>[\d.:]+)/)).groups?.address ?? '';
    await dev.until(/Ctrl-C stops everything/);
  });

  afterAll(async () => {
    dev.child.kill('SIGKILL');
    await dev.ended;
  });

  const info = async (): Promise<StackInfo> => {
    const read = await readInfo(directory.info);
    if (read === undefined) throw new Error('No stack runs.');
    return read;
  };

  const validate = async (requestId: string): Promise<number> => {
    const { base_url, organizations } = await info();
    const headers = {
      authorization: `Bearer ${organizations[0]?.keys.owner}`,
      'x-request-id': requestId,
    };
    return (await fetch(`${base_url}/v1/auth/validate`, { headers })).status;
  };

  const targetOfInspector = async (): Promise<string> =>
    (await fetch(`http://${inspector}/json/list`)).text();

  const main = 'services/template/src/main.ts';

  it('restarts the service whose source has changed, and no other process', async () => {
    const { template, ...others } = (await info()).pids;
    const target = await targetOfInspector();
    await utimes(join(root, main), new Date(), new Date());
    await dev.until(/template restarted in [\d.]+ s changed=services\/template\/src\/main\.ts/);
    const { template: now, ...othersNow } = (await info()).pids;
    expect(othersNow).toEqual(others);
    expect(now).not.toBe(template);
    // A target has an id of its process; its address does not change.
    expect(await targetOfInspector()).not.toBe(target);
    expect(await validate('after-restart')).toBe(200);
  });

  it('names the broken file, keeps running, and starts the service when the file is corrected', async () => {
    const { template: _, ...others } = (await info()).pids;
    const sound = await readFile(join(root, main), 'utf8');
    try {
      await writeFile(join(root, main), `${sound}\nconst broken = ;\n`);
      await dev.until(/template ended with code 1: SyntaxError.* \(services\/template\/src\/main\.ts:\d+\)/);
      expect((await info()).pids).toEqual(others);
    } finally {
      await writeFile(join(root, main), sound);
    }
    await dev.until(/template restarted/);
    expect((await info()).pids).toMatchObject({ ...others, template: expect.any(Number) });
  });

  it('brings the database up to date before it restarts a service whose migrations have changed', async () => {
    await utimes(join(root, 'services/template/src/store/migrations/index.ts'), new Date(), new Date());
    await dev.until(/the database is up to date/);
    await dev.until(/template restarted/);
  });

  it('shows the lines of one request of the running stack', async () => {
    expect(await Promise.all([validate('wanted'), validate('unwanted')])).toEqual([200, 200]);
    await dev.until(/request_id=wanted/);
    const logs = command('dev', 'logs', '--request', 'wanted', '--json');
    const [line] = await logs.until(/^.+$/m);
    expect(JSON.parse(line)).toMatchObject({ service: 'gateway', request_id: 'wanted' });
    expect(await validate('wanted')).toBe(200);
    const [next] = await logs.until(/^.+$/m);
    expect(JSON.parse(next)).toMatchObject({ service: 'gateway', request_id: 'wanted' });
    logs.child.kill('SIGINT');
    await logs.ended;
    expect(logs.child.exitCode).toBe(0);
  });

  it('does not start beside another stack in the folder', async () => {
    await command('dev').until(/already runs in .* \(process \d+\)/);
  });

  it('exits with the reason when the stack cannot start', async () => {
    const failed = new Command(root, await newFolder(), ['dev', '--port', '0'], {
      NATS_SERVER_BIN: join(root, 'absent'),
    });
    await failed.until(/NATS_SERVER_BIN names .*, which is not a NATS server/);
    await failed.ended;
    expect(failed.child.exitCode).toBe(1);
  });

  it('stops everything in order', async () => {
    const { pids } = await info();
    dev.child.kill('SIGINT');
    await dev.ended;
    expect(dev.child.exitCode).toBe(0);
    expect(await survivors(Object.values(pids))).toEqual([]);
  });
});
