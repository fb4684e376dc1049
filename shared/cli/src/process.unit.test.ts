import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, openSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { type LocalServer, startLocalServer } from '@stanza/test-kit/local-server';
import { stanzaCommand } from '@stanza/test-kit/stanza-command';

const main = join(import.meta.dirname, 'main.ts');

/** A message as a list has it, long enough that a hundred of them fill a pipe. */
const message = { created_at: 'now', status: 'sent', destination: {}, error: 'x'.repeat(2_000) };

/** A gateway with endless messages, a hundred on a page. @param asked is told of the number of each request */
const endless = (asked: (number: number) => void): Promise<LocalServer> => {
  let number = 0;
  return startLocalServer(async (_request, response) => {
    number += 1;
    asked(number);
    response.setHeader('content-type', 'application/json');
    const data = Array.from({ length: 100 }, (_, index) => ({ ...message, id: `${number}-${index}` }));
    response.end(JSON.stringify({ data, next_cursor: `after-${number}` }));
  });
};

const start = (words: readonly string[], url: string): ChildProcess =>
  spawn(process.execPath, ['--conditions=@stanza/source', main, ...words], {
    env: { PATH: process.env.PATH, STANZA_URL: url, STANZA_KEY: 'stz_test_1' },
  });

const saidBy = ({ stderr }: ChildProcess): Promise<string> => (stderr ? text(stderr) : Promise.resolve(''));

describe('an interrupt', () => {
  it('ends a command after the request under way, with 130', async () => {
    const ending = new AbortController();
    let requests = 0;
    const gateway = await endless((number) => {
      requests = number;
      ending.abort();
    });
    const env = { STANZA_URL: gateway.url, STANZA_KEY: 'stz_test_1' };
    const words = ['messages', '--limit', '500'];
    const { code, notes } = await stanzaCommand(words, { env, signal: ending.signal });
    expect([code, notes, requests]).toEqual([130, 'Interrupted.', 1]);
    await gateway.close();
  });

  it('ends the wait of a process for its next attempt, with 130', async () => {
    let requests = 0;
    const gateway = await startLocalServer(async (_request, response) => {
      requests += 1;
      response.writeHead(503, { 'retry-after': '30' }).end('{"code":"service_unavailable"}');
    });
    const child = start(['messages'], gateway.url);
    // What it says of the wait comes before the wait, which heeds the signal whenever it comes.
    child.stderr?.once('data', () => child.kill('SIGINT'));
    const said = saidBy(child);
    expect(await once(child, 'exit')).toEqual([130, null]);
    expect(await said).toMatch(/; trying again in 3\d\.\d s\nInterrupted\.\n$/);
    expect(requests).toBe(1);
    await gateway.close();
  });

  it('ends a command that heeds nothing', async () => {
    const child = start(['completion', 'bash'], 'http://127.0.0.1:9');
    child.once('spawn', () => child.kill('SIGINT'));
    expect(await once(child, 'exit')).toEqual([null, 'SIGINT']);
  });
});

const onFullDisks = existsSync('/dev/full') ? it : it.skip;

describe('results that cannot be written', () => {
  onFullDisks('end the command with the reason, and no stack', async () => {
    const child = spawn(process.execPath, ['--conditions=@stanza/source', main, 'completion', 'bash'], {
      env: { PATH: process.env.PATH },
      stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
    });
    const said = saidBy(child);
    const [code] = await once(child, 'exit');
    expect([code, await said]).toEqual([1, 'The results cannot be written: ENOSPC.\n']);
  });
});

describe('a folder that was deleted', () => {
  it('A command in a deleted folder ends with the reason, and no stack', async () => {
    const folder = JSON.stringify(mkdtempSync(join(tmpdir(), 'gone-')));
    const run = `process.chdir(${folder}); fs.rmdirSync(${folder}); process.argv.push('stanza', 'validate'); await import(${JSON.stringify(main)});`;
    const options = ['--conditions=@stanza/source', '--input-type=module', '--eval'];
    const child = spawn(process.execPath, [...options, `import fs from 'node:fs'; ${run}`]);
    const said = saidBy(child);
    const [code] = await once(child, 'exit');
    expect([code, await said]).toEqual([
      1,
      'The folder in which the command runs was deleted.\nRun it in a folder that exists.\n',
    ]);
  });
});

describe('a pipe that is closed early', () => {
  it('ends the command quietly', async () => {
    const gateway = await endless(() => undefined);
    const child = start(['messages', '--limit', '300', '--json'], gateway.url);
    child.stdout?.once('data', () => child.stdout?.destroy());
    const said = saidBy(child);
    const [code] = await once(child, 'exit');
    expect([code, await said]).toEqual([0, '']);
    await gateway.close();
  });
});
