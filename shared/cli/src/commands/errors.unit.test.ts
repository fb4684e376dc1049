import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { startLocalServer } from '@stanza/test-kit/local-server';
import { stanzaCommand } from '@stanza/test-kit/stanza-command';
import { writeAtomically } from '../files/write-atomically.ts';
import { errorReportOf, faultIn } from '../problem.ts';

/** The address of a port that `fetch` refuses to connect to. */
const env = { STANZA_URL: 'http://127.0.0.1:9', STANZA_KEY: 'stz_test_1' };

describe('a command', () => {
  it('names both ways to give `promote` the key of the other environment', async () => {
    const { code, notes } = await stanzaCommand(['promote', 'deploy-alert'], { env });
    expect([code, notes]).toEqual([1, expect.stringContaining('--from-profile, or set STANZA_SOURCE_KEY')]);
  });

  it('refuses a sign-in whose input has no key, without a request', async () => {
    const words = ['login', '--no-browser', '--url', 'https://stanza.test'];
    const { code, notes } = await stanzaCommand(words, { input: '\n' });
    expect([code, notes]).toEqual([1, expect.stringContaining('The input has no key.')]);
  });

  it('says which file or folder the system refused, and what to do, without words of the system', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'stanza-errors-'));
    await writeFile(join(folder, 'stanza.json'), '{}');
    const templates = join(folder, 'templates');
    await symlink('templates', templates);
    const { code, notes } = await stanzaCommand(['--dir', folder, 'validate'], { env });
    await rm(folder, { recursive: true });
    const text = `${templates} cannot be read: ELOOP.\nCorrect the link, which leads to itself.`;
    expect([code, notes.trim()]).toEqual([1, text]);
  });

  it('reports a refusal of the system as that of a command, also to programs', () => {
    const refused = { code: 'EACCES', syscall: 'mkdir', path: '/srv/templates/a' };
    expect(errorReportOf(Object.assign(new Error('EACCES: permission denied'), refused))).toEqual({
      code: 'command',
      message: '/srv/templates/a cannot be made: EACCES.',
      advice: 'Correct its rights, or those of its folder.',
    });
  });

  it('names the folder that a file to be written lacks, and no temporary file', async () => {
    await expect(writeAtomically('/nowhere/types.d.ts', '')).rejects.toThrow(
      new Error('There is no folder /nowhere.'),
    );
  });
});

describe('the server for agents', () => {
  const answersTo = async (line: string, url = env.STANZA_URL) =>
    JSON.parse((await stanzaCommand(['mcp'], { env: { ...env, STANZA_URL: url }, input: line })).out);

  it.each([
    ['no JSON', -32_700],
    ['7', -32_600],
  ])('answers %s with %d', async (line, code) => {
    expect(await answersTo(line)).toMatchObject({ id: null, error: { code } });
  });

  it.each([
    [200, {}, 'The address answered 200 without a message.'],
    [503, {}, 'The address answered 503 without a message.'],
    [
      302,
      { location: '/sign-in?next=1' },
      'The address answered 302 and redirects to /sign-in, which is not followed.',
    ],
  ])('answers the host where something in between answers %d with a page', async (status, headers, text) => {
    const between = await startLocalServer(async ({ url }, response) => {
      if (url === '/mcp') response.writeHead(status, headers).end('<h1>Sign in</h1>');
      else response.writeHead(500).end();
    });
    try {
      const { id, error } = await answersTo('{"jsonrpc":"2.0","id":1,"method":"ping"}', between.url);
      expect([id, error]).toEqual([1, { code: -32_603, message: text }]);
    } finally {
      await between.close();
    }
  });

  it('says why there is no gateway', async () => {
    const gone = await startLocalServer(async () => undefined);
    await gone.close();
    const { error } = await answersTo('{"jsonrpc":"2.0","id":1,"method":"ping"}', gone.url);
    expect(error).toEqual({ code: -32_603, message: 'The gateway cannot be reached: ECONNREFUSED' });
  });
});

describe('a fault of `fetch`', () => {
  it('says in words that `fetch` blocks a port', async () => {
    const error = await fetch(env.STANZA_URL).catch((thrown: unknown) => thrown);
    expect(faultIn(error)).toBe('`fetch` does not connect to this port');
  });
});
