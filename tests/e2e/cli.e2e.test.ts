import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  activateTemplateVersion,
  appendTemplateVersion,
  createDestination,
  createQueue,
  getMessage,
  getSigningSecret,
  replaceTestTargets,
  sendTemplate,
  testDestination,
} from '@stanza/contracts';
import { verify } from '@stanza/sdk';
import type { Api } from '../kit/api.ts';
import { channelsOf } from '../kit/channels.ts';
import { startReceiver } from '../kit/receiver.ts';
import { openWorld, type World } from '../kit/stack.ts';
import { stanzaCommand } from '../kit/stanza-command.ts';
import { liveTemplate } from '../kit/templates.ts';

describe('the command', () => {
  const channels = channelsOf('cli');
  let world: World;
  let api: Api;
  let key: string;
  let home: string;

  beforeAll(async () => {
    world = await openWorld();
    ({ key } = await (await world.newOrganization()).key());
    api = world.api.with(key);
    home = await mkdtemp(join(tmpdir(), 'stanza-home-'));
  });
  afterAll(async () => {
    await rm(home, { recursive: true, force: true });
    await world.close();
  });

  const inHome = () => ({ HOME: home });
  const withKey = () => ({ HOME: home, STANZA_URL: api.base, STANZA_KEY: key });

  it('keeps a key that is valid where its owner alone reads it, and forgets it', async () => {
    expect(await stanzaCommand(['whoami'], { env: inHome() })).toMatchObject({
      code: 1,
      notes: expect.stringContaining('stanza login'),
    });
    const login = ['login', '--url', api.base];
    const wrong = await stanzaCommand(login, { env: inHome(), input: 'stz_live_none' });
    expect(wrong).toMatchObject({ code: 1, notes: expect.stringContaining('invalid_token') });
    const kept = await stanzaCommand(login, { env: inHome(), input: `${key}\n` });
    expect([kept.code, kept.out, kept.notes.includes(key)]).toEqual([0, '', false]);
    const { mode } = await stat(join(home, '.config/stanza/profiles.json'));
    expect(mode & 0o777).toBe(0o600);
    const who = await stanzaCommand(['whoami', '--json'], { env: inHome() });
    expect(JSON.parse(who.out)).toMatchObject({ valid: true, token: { environment: 'production' } });
    expect((await stanzaCommand(['whoami'], { env: inHome() })).out).toContain('owner of');
    const other = await stanzaCommand(['--profile', 'staging', 'whoami'], { env: inHome() });
    expect(other).toMatchObject({ code: 1, notes: expect.stringContaining('there are default') });
    await stanzaCommand(['logout'], { env: inHome() });
    expect((await stanzaCommand(['whoami'], { env: inHome() })).code).toBe(1);
    expect((await stanzaCommand(['whoami'], { env: withKey() })).code).toBe(0);
  });

  it('sends a test to a listed target alone, and the live version once for a key', async () => {
    await liveTemplate(api, undefined, { name: 'Sent by the command' });
    const [listed, other] = [channels.next(), channels.next()];
    await api.ok(replaceTestTargets, { body: { targets: [{ channel_id: listed }] } });
    const data = join(home, 'data.json');
    await writeFile(data, JSON.stringify({ service: 'api', version: '1.4.2' }));
    const send = (...words: string[]) =>
      stanzaCommand(['send', 'sent-by-the-command', '--data', data, '--json', ...words], { env: withKey() });
    const tested = await send('--test', '--channel', listed);
    expect(tested.code).toBe(0);
    const { message_id } = JSON.parse(tested.out);
    expect(await api.ok(getMessage, { params: { id: message_id } })).toMatchObject({ test: true });
    expect(await send('--test', '--channel', other)).toMatchObject({
      code: 1,
      out: expect.stringContaining('access_denied'),
    });
    expect(await send('--channel', other)).toMatchObject({ code: 1, out: expect.stringContaining('--yes') });
    const once = ['--channel', other, '--idempotency-key', 'release 1.4.2', '--yes'];
    const [first, again] = [await send(...once), await send(...once)];
    expect(JSON.parse(first.out).message_id).toBe(JSON.parse(again.out).message_id);
    expect(await send('--yes')).toMatchObject({ code: 1, out: expect.stringContaining('no recipient') });
  });

  it('writes the types of live templates, and tells when they are others', async () => {
    const template = await liveTemplate(api);
    const file = join(home, 'templates.d.ts');
    const types = ['types', '--out', file];
    expect((await stanzaCommand([...types, '--check'], { env: withKey() })).code).toBe(2);
    expect((await stanzaCommand(types, { env: withKey() })).code).toBe(0);
    const written = await readFile(file, 'utf8');
    expect(written).toContain("'deploy-alert': {");
    expect(written).toMatch(/version: string \| number \| boolean;/);
    expect(await stanzaCommand([...types, '--check'], { env: withKey() })).toMatchObject({ code: 0 });
    expect((await stanzaCommand(types, { env: withKey() })).notes).toContain('up to date');
    await writeFile(file, written.replaceAll('\n', '\r\n'));
    expect(await stanzaCommand([...types, '--check'], { env: withKey() })).toMatchObject({ code: 0 });
    await writeFile(file, written);
    const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: '{{service}} by {{author}}' } }];
    const params = { id: template.id };
    const { id: version } = await api.ok(appendTemplateVersion, { params, body: { blocks } });
    expect((await stanzaCommand([...types, '--check'], { env: withKey() })).code).toBe(0);
    await api.ok(activateTemplateVersion, { params: { ...params, version_id: version } });
    expect((await stanzaCommand([...types, '--check'], { env: withKey() })).code).toBe(2);
    expect(await readFile(file, 'utf8')).toBe(written);
  });

  it('lists and follows messages, and lists queues', async () => {
    const { id } = await liveTemplate(api, undefined, { name: 'Followed' });
    const data = { service: 'api', version: '1' };
    const send = (channel_id: string) =>
      api.ok(sendTemplate, { body: { template_id: id, channel_id, data } });
    const { message_id: first } = await send(channels.next());
    const listed = await stanzaCommand(['messages', '--template', 'followed'], { env: withKey() });
    expect(listed.out.split('\n')[1]).toContain(first);
    expect((await stanzaCommand(['history', 'Followd'], { env: withKey() })).notes).toContain(
      'did you mean followed?',
    );
    const { message_id: next } = await send(channels.next());
    const listedBy = async (...words: string[]) => {
      const { out } = await stanzaCommand(['messages', '--template', 'followed', ...words], {
        env: withKey(),
      });
      return out
        .split('\n')
        .slice(1)
        .map((line) => [first, next].find((id) => line.includes(id)));
    };
    expect(await listedBy()).toEqual([next, first]);
    expect(await listedBy('--sort', 'created_at')).toEqual([first, next]);
    expect(await listedBy('--sort', '-created_at', '--limit', '1')).toEqual([next]);
    for (const wrong of [
      ['--sort', 'name'],
      ['--limit', '0'],
      ['--follow', '--sort', 'created_at'],
    ])
      expect((await stanzaCommand(['messages', ...wrong], { env: withKey() })).code).toBe(1);
    expect(await stanzaCommand(['messages', '--status', 'lost'], { env: withKey() })).toMatchObject({
      code: 1,
    });
    const ending = new AbortController();
    let second: string | undefined;
    const printed: string[] = [];
    const endWithSecond = () => {
      if (second !== undefined && printed.join('\n').includes(second)) ending.abort();
    };
    const followed = await stanzaCommand(['messages', '--template', 'followed', '--follow'], {
      env: withKey(),
      signal: ending.signal,
      noted: async () => {
        second ??= (await send(channels.next())).message_id;
        endWithSecond();
      },
      printed: (line) => {
        printed.push(line);
        endWithSecond();
      },
    });
    expect([followed.code, followed.out.includes(String(second))]).toEqual([130, true]);
    expect((await stanzaCommand(['queues'], { env: withKey() })).out).toBe('no queues');
    await api.ok(createQueue, {
      body: {
        name: 'Errors',
        mode: 'fixed_volume',
        threshold: 5,
        template_id: id,
        channel_id: channels.next(),
      },
    });
    expect((await stanzaCommand(['queues'], { env: withKey() })).out).toContain('after 5 events');
  });

  it('forwards the deliveries of a destination to a port of this machine, signed', async () => {
    const [there, here] = [await startReceiver(), await startReceiver()];
    await using stack = new AsyncDisposableStack();
    stack.defer(there.close);
    stack.defer(here.close);
    const { id } = await api.ok(createDestination, { body: { name: 'Hook', url: there.url, method: 'PUT' } });
    const { secret } = await api.ok(getSigningSecret, { params: { id } });
    await api.ok(testDestination, { params: { id }, body: { payload: { number: 1 } } });
    here.answers.push(302);
    const ending = new AbortController();
    let isTested = false;
    const listened = await stanzaCommand(['listen', 'hook', '--forward', here.url], {
      env: withKey(),
      signal: ending.signal,
      sleep: async () => {
        if (!isTested) await api.ok(testDestination, { params: { id }, body: { payload: { number: 2 } } });
        isTested = true;
      },
      printed: () => ending.abort(),
    });
    expect([listened.code, listened.out]).toEqual([130, expect.stringMatching(/ test {2}302$/)]);
    expect(here.received[0]?.method).toBe('PUT');
    const [received, ...others] = here.received;
    expect(others).toEqual([]);
    const verified = await verify(
      { headers: received?.headers ?? {}, body: received?.body ?? '' },
      { secret },
    );
    expect(verified.payload).toEqual({ number: 2 });
    const unknown = await stanzaCommand(['listen', 'hok', '--forward', here.url], { env: withKey() });
    expect(unknown).toMatchObject({ code: 1, notes: expect.stringContaining('did you mean hook?') });
  });

  it('explains itself, and refuses words that it does not know', async () => {
    const help = await stanzaCommand(['--help']);
    expect([help.code, help.out]).toEqual([0, expect.stringContaining('whoami')]);
    expect(await stanzaCommand(['tpyes'])).toMatchObject({
      code: 1,
      notes: expect.stringContaining('Did you mean types?'),
    });
  });
});
