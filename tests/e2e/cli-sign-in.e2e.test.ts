import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { listTemplates } from '@stanza/contracts';
import type { MadeSession, TestOrganization } from '../kit/organization.ts';
import { openWorld, type World } from '../kit/stack.ts';
import { type CommandRun, stanzaCommand } from '../kit/stanza-command.ts';

/** What a person does at the provider: they choose who they are. Answers where it leads back to. */
const choose = async (address: string, subject: string): Promise<string> => {
  const asked = new URL(address);
  const fields = new URLSearchParams(asked.searchParams);
  fields.set('subject', subject);
  const chosen = await fetch(`${asked.origin}${asked.pathname}`, {
    method: 'POST',
    body: fields,
    redirect: 'manual',
  });
  return chosen.headers.get('location') ?? '';
};

describe('signing in to the command', () => {
  let world: World;
  let organization: TestOrganization;
  let owner: MadeSession;
  let home: string;

  beforeEach(async () => {
    world = await openWorld();
    organization = await world.newOrganization({ connected: false });
    owner = await organization.session();
    home = await mkdtemp(join(tmpdir(), 'stanza-home-'));
  });
  afterEach(async () => {
    await rm(home, { recursive: true, force: true });
    await world.close();
  });

  const env = () => ({ HOME: home });
  const file = () => join(home, '.config/stanza/profiles.json');
  const run = (...words: string[]): Promise<CommandRun> => stanzaCommand(words, { env: env() });
  const kept = async () => JSON.parse(await readFile(file(), 'utf8')).default;
  /** Signs in as a person does; what the page says that they end on is answered too. */
  const signIn = async (
    ...words: string[]
  ): Promise<CommandRun & { asked: URL; page: string | undefined }> => {
    const led = Promise.withResolvers<URL>();
    const ended = led.promise.then(async (asked) => {
      const back = await fetch(await choose(asked.href, owner.subject));
      return back.text();
    });
    const login = ['login', '--url', world.api.base, '--browser', ...words];
    const done = await stanzaCommand(login, { env: env(), browse: (url) => led.resolve(new URL(url)) });
    return { ...done, asked: await led.promise, page: await ended };
  };

  it('leads to the provider and back, and keeps what it gave where its owner alone reads it', async () => {
    const { code, notes, asked, page } = await signIn();
    expect([code, notes]).toEqual([0, 'the profile default is kept']);
    expect(page).toBe('You are signed in. This page can be closed.');
    expect(asked.searchParams.get('code_challenge_method')).toBe('S256');
    expect(asked.searchParams.get('redirect_uri')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    expect((await stat(file())).mode & 0o777).toBe(0o600);
    const who = JSON.parse((await run('whoami', '--json')).out);
    expect(who).toMatchObject({
      user: { id: owner.userId },
      token: { type: 'session', environment: 'production' },
      organization: { id: organization.id },
    });
    await signIn('--environment', 'preview', '--organization', organization.id);
    expect(JSON.parse((await run('whoami', '--json')).out).token.environment).toBe('preview');
    expect((await signIn('--organization', 'Elsewhere')).code).toBe(1);
  });

  it('lets an agent act as the person, in the organization and environment of the profile', async () => {
    await signIn('--environment', 'preview');
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'create',
        arguments: { key: 'of-an-agent', name: 'Of an agent', blocks: [{ type: 'divider' }] },
      },
    };
    const { out } = await stanzaCommand(['mcp'], { env: env(), input: JSON.stringify(call) });
    expect(JSON.parse(out)).toMatchObject({ id: 1, result: { structuredContent: { key: 'of-an-agent' } } });
    const inPreview = await organization.key({ environment: 'preview' });
    const { data } = await world.api.with(inPreview.key).ok(listTemplates, {});
    expect(data.map(({ key }) => key)).toContain('of-an-agent');
  });

  it('takes no return but that of its own sign-in', async () => {
    const led = Promise.withResolvers<string>();
    const ending = new AbortController();
    const login = stanzaCommand(['login', '--url', world.api.base, '--browser'], {
      env: env(),
      signal: ending.signal,
      browse: led.resolve,
    });
    const address = await choose(await led.promise, owner.subject);
    const other = new URL(address);
    other.searchParams.set('state', 'of-another');
    expect((await fetch(other)).status).toBe(400);
    other.searchParams.set('state', new URL(address).searchParams.get('state') ?? '');
    other.searchParams.set('iss', 'https://elsewhere.example');
    expect((await fetch(other)).status).toBe(400);
    ending.abort();
    expect((await login).code).toBe(130);
    await expect(stat(file())).rejects.toThrow('ENOENT');
  });

  it('renews what ends, once for commands that run together, and ends it at the provider with logout', async () => {
    await signIn();
    const first = await kept();
    const end = async () => {
      const profile = await kept();
      const session = { ...profile.session, expiresAt: 0 };
      await writeFile(file(), JSON.stringify({ default: { ...profile, session } }));
    };
    await end();
    const together = await Promise.all([run('whoami'), run('whoami'), run('whoami')]);
    expect(together.map(({ code }) => code)).toEqual([0, 0, 0]);
    const renewed = await kept();
    expect(renewed.session.refreshToken).not.toBe(first.session.refreshToken);
    expect((await run('logout')).notes).toBe('the profile is forgotten');
    await writeFile(file(), JSON.stringify({ default: renewed }));
    await end();
    expect(await run('whoami')).toMatchObject({ code: 1, notes: expect.stringContaining('stanza login') });
  });
});
