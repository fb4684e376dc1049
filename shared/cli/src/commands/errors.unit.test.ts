import { describe, expect, it } from '@jest/globals';
import { startLocalServer } from '@stanza/test-kit/local-server';
import { stanzaCommand } from '@stanza/test-kit/stanza-command';
import { writeAtomically } from '../files/write-atomically.ts';
import { faultIn } from '../problem.ts';

/** A gateway that nobody can connect to: `fetch` refuses the port. */
const env = { STANZA_URL: 'http://127.0.0.1:9', STANZA_KEY: 'stz_test_1' };

describe('what a person has left out', () => {
  it('is the key of the other environment: both ways to give it are named', async () => {
    const { code, notes } = await stanzaCommand(['promote', 'deploy-alert'], { env });
    expect([code, notes]).toEqual([1, expect.stringContaining('--from-profile, or set STANZA_SOURCE_KEY')]);
  });

  it('is the key of a sign-in: no request is made', async () => {
    const words = ['login', '--no-browser', '--url', 'https://stanza.test'];
    const { code, notes } = await stanzaCommand(words, { input: '\n' });
    expect([code, notes]).toEqual([1, expect.stringContaining('The input has no key.')]);
  });

  it('is the folder of a file: it is named, and no other file', async () => {
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

  it('says why there is no gateway', async () => {
    const gone = await startLocalServer(async () => undefined);
    await gone.close();
    const { error } = await answersTo('{"jsonrpc":"2.0","id":1,"method":"ping"}', gone.url);
    expect(error).toEqual({ code: -32_603, message: 'The gateway cannot be reached: ECONNREFUSED' });
  });
});

describe('a fault of `fetch`', () => {
  it('of a port that it blocks is said in words', async () => {
    const error = await fetch(env.STANZA_URL).catch((thrown: unknown) => thrown);
    expect(faultIn(error)).toBe('`fetch` does not connect to this port');
  });
});
