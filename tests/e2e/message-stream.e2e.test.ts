import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { limits, type Message, revokeKey, sendTemplate } from '@stanza/contracts';
import { Stanza } from '@stanza/sdk';
import type { Api } from '../kit/api.ts';
import { channelsOf } from '../kit/channels.ts';
import type { TestOrganization } from '../kit/organization.ts';
import { openWorld, type World } from '../kit/stack.ts';
import { liveTemplate } from '../kit/templates.ts';

const channels = channelsOf('message-stream');

/** The text of a stream up to a part of it. */
const textUpTo = async (response: Response, part: string): Promise<string> => {
  let text = '';
  for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += piece;
    if (text.includes(part)) return text;
  }
  throw new Error(`the stream has ended without ${part}: ${text}`);
};

const idsIn = (text: string): string[] => [...text.matchAll(/^id: (.+)\ndata: /gm)].map(([, id]) => id ?? '');

describe('the stream of messages', () => {
  let world: World;
  let organization: TestOrganization;
  let api: Api;
  let key: string;
  let template_id: string;

  beforeAll(async () => {
    world = await openWorld();
    organization = await world.newOrganization({ credits: 1_000 });
    ({ key } = await organization.key());
    api = world.api.with(key);
    ({ id: template_id } = await liveTemplate(api));
  });
  afterAll(() => world.close());

  const send = async (): Promise<string> => {
    const data = { service: 'api', version: '1' };
    const body = { template_id, channel_id: channels.next(), data };
    return (await api.ok(sendTemplate, { body })).message_id;
  };
  const open = (query: Record<string, string> = {}, headers: Record<string, string> = {}, own = key) =>
    fetch(`${api.base}/v1/messages/stream?${new URLSearchParams(query)}`, {
      headers: { authorization: `Bearer ${own}`, ...headers },
    });

  it('shows each message to a program as it is sent, whoever else follows', async () => {
    const opened = Promise.withResolvers<void>();
    const other = await world.newOrganization();
    const strangers = await open({}, {}, (await other.key()).key);
    const preview = await open({}, {}, (await organization.key({ environment: 'preview' })).key);
    const seen = new Map<string, Message['status']>();
    const following = (async () => {
      const stream = new Stanza({ url: api.base, key }).messages.stream({}, { onOpen: opened.resolve });
      for await (const { id, status } of stream) {
        seen.set(id, status);
        if ([...seen.values()].filter((it) => it === 'sent').length === 3) return;
      }
    })();
    await opened.promise;
    const sent = [await send(), await send(), await send()];
    await following;
    expect([...seen.keys()]).toEqual(sent);
    for (const stranger of [strangers, preview]) {
      expect(await textUpTo(stranger, '\n\n')).not.toContain('data:');
      expect(stranger.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    }
  });

  it('continues after the last event that its client has, without a gap and without a repeat', async () => {
    const first = await open({ status: 'sent' });
    const one = await send();
    const before = await textUpTo(first, one);
    const last = idsIn(before).at(-1) ?? '';
    // Nobody listens in the meantime.
    const [two, three] = [await send(), await send()];
    const after = await textUpTo(await open({ status: 'sent' }, { 'last-event-id': last }), three);
    expect([after.includes(one), after.includes(two)]).toEqual([false, true]);
    const ids = [...idsIn(before), ...idsIn(after)];
    expect(ids).toEqual([...new Set(ids)].toSorted());
    const byQuery = await textUpTo(await open({ status: 'sent', after: last }), three);
    expect(idsIn(byQuery)).toEqual(idsIn(after));
    const wrong = await open({}, { 'last-event-id': 'yesterday' });
    expect([wrong.status, await wrong.json()]).toMatchObject([422, { code: 'validation_failed' }]);
  });

  it('ends when the key is revoked', async () => {
    const own = await organization.key();
    const stream = await open({}, {}, own.key);
    await organization.call(revokeKey, { organization_id: organization.id, key_id: own.id });
    const text = await textUpTo(stream, 'event: end');
    expect(text).toMatch(/event: end\ndata: {"reason":"refused","code":"invalid_token"/);
    expect(text).toContain('"docs":"/docs/errors#invalid_token"');
  });

  it('is refused where the organization has as many as it may, until one is left', async () => {
    const busy = await world.newOrganization();
    const { key: own } = await busy.key();
    const streams = await Promise.all(Array.from({ length: limits.streams }, () => open({}, {}, own)));
    expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200));
    const refused = await open({}, {}, own);
    expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toMatchObject([
      429,
      '5',
      { code: 'too_many_streams' },
    ]);
    for (const { body } of streams) await body?.cancel();
    // The SDK waits for a place.
    const opened = Promise.withResolvers<void>();
    const leaving = new AbortController();
    const following = (async () => {
      const stream = new Stanza({ url: api.base, key: own }).messages.stream(
        {},
        { onOpen: opened.resolve, signal: leaving.signal },
      );
      for await (const _ of stream) return;
    })();
    await opened.promise;
    leaving.abort();
    await expect(following).rejects.toMatchObject({ code: 'aborted' });
  });

  it('answers a question about its headers alone', async () => {
    const { status, headers } = await fetch(`${api.base}/v1/messages/stream`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${key}` },
    });
    expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  });
});
