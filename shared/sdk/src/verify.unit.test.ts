import { describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import type { PublicEvent } from './generated/types.ts';
import { thrownBy } from './testing/scripted.ts';
import { type DigestPayload, verify } from './verify.ts';

const [secret, older, foreign] = ['new', 'old', 'foreign'].map(
  (name) => `whsec_${Buffer.from(`the ${name} secret of a destination`).toString('base64')}`,
);
if (!secret || !older || !foreign) throw new Error('there are three secrets');

const body = '{"event_count":2,"queue":{"id":"q","name":"Größen"}}';
const at = new Date('2026-11-22T08:30:00Z');
const now = () => at.getTime() + 10_000;

const headersFor = (secrets: readonly string[], signed = body) => ({
  'webhook-id': 'delivery-1',
  'webhook-timestamp': String(at.getTime() / 1_000),
  'webhook-signature': secrets.map((it) => new Webhook(it).sign('delivery-1', at, signed)).join(' '),
});

const request = (headers: Record<string, string>) =>
  new Request('https://receiver.test', { method: 'POST', headers, body });

describe('the check of a signed request', () => {
  it('answers its id, its time and its payload', async () => {
    const {
      id,
      payload,
      at: signedAt,
    } = await verify<DigestPayload>(request(headersFor([secret])), {
      secret,
      now,
    });
    expect([id, signedAt, payload.event_count, payload.queue.name]).toEqual(['delivery-1', at, 2, 'Größen']);
  });

  it('finds headers in any case', async () => {
    const headers = Object.fromEntries(
      Object.entries(headersFor([secret])).map(([name, value]) => [name.toUpperCase(), value]),
    );
    expect(await verify({ headers, body }, { secret, now })).toMatchObject({ id: 'delivery-1' });
  });

  it('finds headers in the class of another library', async () => {
    const own = new Headers(headersFor([secret]));
    const signed = Object({ headers: { get: (name: string) => own.get(name) }, body });
    expect(await verify(signed, { secret, now })).toMatchObject({ id: 'delivery-1' });
  });

  it('says what to give where a program without types gives something else', async () => {
    const headers = headersFor([secret]);
    const parsed = JSON.parse(JSON.stringify({ headers, body: { event_count: 2 } }));
    expect(await thrownBy(verify(parsed, { secret, now }))).toEqual(
      new TypeError('`body` is to be the text or the bytes as they came, before anything has parsed them'),
    );
    const unset = JSON.parse('{}');
    expect(await thrownBy(verify({ headers, body }, { ...unset, now }))).toEqual(
      new TypeError('`secret` is to be the signing secret of a destination, `whsec_…`: it is not set'),
    );
  });

  it('types the payload of an event by its type', async () => {
    const data = { message_id: 'm', error: 'chat_api_error' };
    const text = JSON.stringify({ id: 'e', type: 'message.failed', data });
    const signed = { headers: headersFor([secret], text), body: text };
    const { payload: event } = await verify<PublicEvent>(signed, { secret, now });
    if (event.type !== 'message.failed') throw new Error(`it is a ${event.type}`);
    const told: [string, string] = [event.data.message_id, event.data.error];
    expect(told).toEqual(['m', 'chat_api_error']);
  });

  it.each([
    ['the bytes', new TextEncoder().encode(body)],
    ['the text', body],
  ])('takes headers of Node and %s of the body', async (_, raw) => {
    const signed = { headers: headersFor([secret]), body: raw };
    expect((await verify(signed, { secret, now })).payload).toEqual(JSON.parse(body));
  });

  it('takes either of two secrets while one takes the place of the other', async () => {
    const both = [secret, older];
    for (const secrets of [[secret], [older], [older, secret]])
      expect((await verify(request(headersFor(secrets)), { secret: both, now })).id).toBe('delivery-1');
    expect((await verify(request(headersFor([older, secret])), { secret, now })).id).toBe('delivery-1');
  });

  it.each([
    ['another secret', headersFor([foreign])],
    ['other bytes', headersFor([secret], `${body} `)],
    ['another id', { ...headersFor([secret]), 'webhook-id': 'delivery-2' }],
    ['no header', {}],
    ['no signature of the scheme', { ...headersFor([secret]), 'webhook-signature': 'v2,abc v1,x v1' }],
    ['no time', { ...headersFor([secret]), 'webhook-timestamp': 'now' }],
  ])('refuses what was signed with %s', async (_, headers) => {
    expect(await thrownBy(verify(request(headers), { secret, now }))).toMatchObject({
      name: 'StanzaError',
      code: 'invalid_signature',
    });
  });

  it.each([-301, 301])('refuses what is %d seconds away', async (seconds) => {
    const late = { secret, now: () => at.getTime() + seconds * 1_000 };
    expect(await thrownBy(verify(request(headersFor([secret])), late))).toMatchObject({
      code: 'invalid_signature',
    });
    expect((await verify(request(headersFor([secret])), { ...late, toleranceSeconds: 301 })).id).toBe(
      'delivery-1',
    );
  });

  it.each([
    ['an empty one', ''],
    ['the prefix alone', 'whsec_'],
    ['a line break', '\n'],
    ['the prefix and a line break', 'whsec_\n'],
    ['a list with a space', [secret, ' ']],
    ['no base64', 'whsec_not base64!'],
    ['half a character', 'whsec_a'],
    ['an empty list', []],
    ['a list with an empty one', [secret, '']],
    ['a list of empty ones', ['', '']],
  ])('is an error of the receiver where the secret is %s, whatever the request is', async (_, wrong) => {
    for (const headers of [headersFor([secret]), {}]) {
      const error = await thrownBy(verify(request(headers), { secret: wrong, now }));
      expect(error).toBeInstanceOf(TypeError);
      expect(String(error)).toContain('`secret` is to');
      expect(String(error)).not.toContain(secret);
    }
  });
});
