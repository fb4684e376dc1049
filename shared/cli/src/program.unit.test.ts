import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { StanzaError, version } from '@stanza/sdk';
import { freePorts } from '@stanza/test-kit/database';
import { stanzaCommand } from '@stanza/test-kit/stanza-command';
import { errorReportOf, textOf } from './problem.ts';
import { wantsColours } from './terminal.ts';

describe('the command', () => {
  it('names every command in its help, without a server', async () => {
    const { code, out } = await stanzaCommand(['--help']);
    expect(code).toBe(0);
    for (const name of [
      'init',
      'pull',
      'validate',
      'plan',
      'push',
      'activate',
      'rollback',
      'messages',
      'completion',
    ])
      expect(out).toMatch(new RegExp(`^ {2}${name}\\b`, 'm'));
  });

  it('prints its version, and the help of one command', async () => {
    expect(await stanzaCommand(['--version'])).toMatchObject({ code: 0, out: version });
    expect(await stanzaCommand(['help', 'plan'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('--strict'),
    });
    const { out: whole } = await stanzaCommand(['--help']);
    expect(await stanzaCommand(['help'])).toMatchObject({ code: 0, out: whole });
  });

  it('ends in seconds where nothing answers, and tells what it tries', async () => {
    const [port = 0] = await freePorts(1);
    const env = { STANZA_URL: `http://127.0.0.1:${port}`, STANZA_KEY: 'stz_test_1' };
    const { code, notes } = await stanzaCommand(['whoami'], { env });
    expect(code).toBe(1);
    expect(notes.match(/connection was refused \(ECONNREFUSED\); trying again/g)).toHaveLength(4);
    expect(notes).toContain(`no_answer: no answer from 127.0.0.1:${port}: the connection was refused`);
  });

  it.each([
    [['plann'], 'Did you mean plan?'],
    [['plan', '--jsn'], 'Did you mean --json?'],
    [['help', 'plann'], "error: unknown command 'plann'\n(Did you mean plan?)\n`stanza <command> --help`"],
  ])('suggests a near word for %j', async (words, hint) => {
    expect(await stanzaCommand(words)).toMatchObject({ code: 1, notes: expect.stringContaining(hint) });
  });

  it('says where a word that is missing is explained', async () => {
    const { code, notes } = await stanzaCommand(['preview']);
    const help = '`stanza <command> --help` explains the words of a command.';
    expect([code, notes]).toEqual([1, `error: missing required argument 'key'\n${help}`]);
  });

  it('says why there is no answer where a person signs in', async () => {
    const [port = 0] = await freePorts(1);
    const url = `http://127.0.0.1:${port}`;
    const { code, notes } = await stanzaCommand(['login', '--browser', '--url', url]);
    expect([code, notes]).toEqual([1, expect.stringContaining(`${url} gives no answer: ECONNREFUSED.`)]);
  });

  it.each([
    [['plann', '--json'], "unknown command 'plann'\n(Did you mean plan?)"],
    [['--json', 'plan', '--strickt'], "unknown option '--strickt'\n(Did you mean --strict?)"],
    [['--json'], 'No command is named.'],
  ])('tells wrong words as JSON: %j', async (words, message) => {
    const { code, out, notes } = await stanzaCommand(words);
    expect([code, JSON.parse(out), notes]).toEqual([1, { error: { code: 'usage', message } }, '']);
  });

  it.each(['--browser', '--no-browser'])('sends no credentials in the clear: login %s', async (how) => {
    const signIn = (url: string) => stanzaCommand(['login', how, '--url', url]);
    const unencrypted = { code: 1, notes: expect.stringContaining('Use https, or add --insecure') };
    expect(await signIn('http://stanza.example.com')).toMatchObject(unencrypted);
    expect(await signIn('stanza.example.com')).toMatchObject({ code: 1 });
  });

  it('prints a problem as JSON with --json', async () => {
    const { code, out } = await stanzaCommand(['validate', '--json'], { folder: '/' });
    expect([code, JSON.parse(out)]).toEqual([
      1,
      {
        error: {
          code: 'command',
          message: 'There is no stanza.json in / or above it.',
          advice: 'Run `stanza init` where your templates are to be.',
        },
      },
    ]);
  });

  it.each(['bash', 'zsh', 'fish'])('prints a completion for %s that has every command', async (shell) => {
    const { code, out } = await stanzaCommand(['completion', shell]);
    expect([code, out.includes('rollback'), out.includes('markdown')]).toEqual([0, true, true]);
    if (shell === 'bash') expect(() => execFileSync('bash', ['-n'], { input: out })).not.toThrow();
  });

  it('has no completion for another shell', async () => {
    expect(await stanzaCommand(['completion', 'constructor'])).toMatchObject({ code: 1 });
  });
});

describe('colours', () => {
  it.each([
    [true, {}, true],
    [false, {}, false],
    [true, { NO_COLOR: '1' }, false],
    [true, { NO_COLOR: '' }, true],
    [true, { TERM: 'dumb' }, false],
  ])('on a terminal (%s) with %j are %s', (isTerminal, env, colours) => {
    expect(wantsColours(env, isTerminal)).toBe(colours);
  });
});

describe('an error of the API', () => {
  const error = new StanzaError({
    code: 'template_not_found',
    text: 'No such template.',
    requestId: 'request-1',
    details: 'one line',
    docs: 'https://stanza.test/docs/errors#template_not_found',
  });

  it('says why the chat platform has refused', () => {
    const refusal = new StanzaError({
      code: 'chat_api_error',
      text: 'The chat platform refused the call.',
      errorDetails: 'not_in_channel',
    });
    expect(errorReportOf(refusal)).toMatchObject({ error_details: 'not_in_channel' });
    expect(textOf(refusal)).toBe('chat_api_error: The chat platform refused the call.\nnot_in_channel');
  });

  it('is printed with its code, its request and its page', () => {
    expect(errorReportOf(error)).toEqual({
      code: 'template_not_found',
      message: 'template_not_found: No such template. (request request-1)',
      details: 'one line',
      request_id: 'request-1',
      docs: 'https://stanza.test/docs/errors#template_not_found',
    });
    expect(textOf(error)).toContain('see https://stanza.test/docs/errors#template_not_found');
  });
});
