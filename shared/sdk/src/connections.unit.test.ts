import { afterEach, describe, expect, it } from '@jest/globals';
import { Stanza } from './client.ts';
import { version } from './generated/version.ts';
import type { RetryNote, StanzaOptions } from './options.ts';
import { failing, json, scripted, secretKey, thrownBy } from './testing/scripted.ts';

const broken = (facts: object) => new TypeError('fetch failed', { cause: { message: secretKey, ...facts } });
const refused = broken({ code: 'ECONNREFUSED', syscall: 'connect', address: '127.0.0.1', port: 9 });
const untrusted = broken({ code: 'SELF_SIGNED_CERT_IN_CHAIN' });

const failure = (steps: Parameters<typeof scripted>[0], options: Partial<StanzaOptions> = {}) => {
  const { stanza, made, pauses } = scripted(steps, options);
  return { error: thrownBy(stanza.send('deploy-alert', { channel_id: 'C1' })), made, pauses };
};

describe('a connection that cannot be made', () => {
  it('is told with its host, its port and what failed, also once the time is over', async () => {
    const { error } = failure(Array(9).fill(refused), { timeoutMs: 1_000, url: 'http://127.0.0.1:9' });
    const cause = { code: 'ECONNREFUSED', syscall: 'connect', address: '127.0.0.1', port: 9 };
    expect(await error).toMatchObject({
      code: 'deadline_exceeded',
      message: expect.stringContaining(
        'no answer from 127.0.0.1:9: the connection was refused (ECONNREFUSED)',
      ),
      cause,
      fault: cause,
    });
  });

  it.each([
    ['http://a.test', 'a.test:80: the connection broke (UND_ERR_SOCKET)', broken({ code: 'UND_ERR_SOCKET' })],
    ['https://nowhere.test', 'nowhere.test:443', broken({ code: 'ENOTFOUND', hostname: 'nowhere.test' })],
    ['http://nowhere.test', 'nowhere.test:80', new Error(secretKey)],
    [
      'https://a.test',
      'a.test:443: the connection was refused (ECONNREFUSED) at 127.0.0.1:9, as of',
      refused,
    ],
    [
      'https://a.test',
      'a.test:443: the host is unknown (ENOTFOUND) at proxy.test, as of a proxy',
      broken({ code: 'ENOTFOUND', hostname: 'proxy.test' }),
    ],
    [
      'https://a.test',
      'a.test:443: the proxy on the way answered 407',
      new TypeError('fetch failed', {
        cause: Object.assign(
          new Error('Request was cancelled.', {
            cause: new Error('Proxy response (407) !== 200 when HTTP Tunneling'),
          }),
          { code: 0 },
        ),
      }),
    ],
  ])('names %s as %s', async (url, host, thrown) => {
    const error = await failure([thrown], { url, maxRetries: 0 }).error;
    expect(error).toMatchObject({ code: 'no_answer', message: expect.stringContaining(host) });
    expect(error).not.toMatchObject({ message: expect.stringContaining(secretKey) });
  });

  it.each([
    ['Connection refused (os error 111)', 'tcp connect error: ', 'no_answer', 'ECONNREFUSED'],
    ['failed to lookup address information', 'dns error: ', 'no_answer', 'ENOTFOUND'],
    ['Other(CaUsedAsEndEntity)', 'invalid peer certificate: ', 'tls_failed', 'ERR_TLS_HANDSHAKE'],
  ])('is known by its text where it has no code: %s', async (text, before, code, fault) => {
    const where = before
      ? `error sending request for url (https://a.test/): client error (Connect): ${before}`
      : '';
    const thrown = new TypeError('fetch failed', { cause: new Error(`${where}${text}`) });
    const error = await failure([thrown], { maxRetries: 0 }).error;
    expect(error).toMatchObject({ code, fault: { code: fault } });
  });

  it('is not tried again where its certificate is not trusted', async () => {
    const { error, made } = failure([untrusted]);
    expect(await error).toMatchObject({
      code: 'tls_failed',
      message: expect.stringContaining('SELF_SIGNED_CERT_IN_CHAIN'),
    });
    expect(made).toHaveLength(1);
  });
});

describe('a mistake of the program', () => {
  it.each([
    ['€', 'order-€'],
    ['a line break', 'order\n4711'],
  ])('in a key, as %s, is told at once by the name of the option', async (_, idempotencyKey) => {
    const { stanza, made } = scripted([]);
    const error = await thrownBy(stanza.send('deploy-alert', { channel_id: 'C1' }, { idempotencyKey }));
    expect([error, String(error), made]).toEqual([
      expect.any(TypeError),
      expect.stringContaining('`idempotencyKey` is no header'),
      [],
    ]);
  });

  it.each(['""', 'null'])('in a key, as %s, is told before it stands for every call', async (text) => {
    const { stanza, made } = scripted([]);
    const idempotencyKey = JSON.parse(text);
    const destinations = Array.from({ length: 101 }, (_, index) => ({ channel_id: `C${index}` }));
    for (const call of [
      stanza.send('deploy-alert', { channel_id: 'C1' }, { idempotencyKey }),
      stanza.sendBulk('deploy-alert', { destinations }, { idempotencyKey }),
    ])
      expect(await thrownBy(call)).toEqual(
        new TypeError('`idempotencyKey` is to be a text that is not empty; leave it out for a random one'),
      );
    expect(made).toEqual([]);
  });

  it('in its headers is told by the client', () => {
    expect(() => scripted([], { headers: { 'X-Team': 'a\nb' } })).toThrow('`headers.X-Team` is no header');
  });

  it.each([
    [new TypeError(`no function, with ${secretKey}`), '`fetch` has thrown: no function, with …'],
    [broken({ message: 'bad port' }), '`url` has a port to which `fetch` does not connect: stanza.test:443'],
  ])('is not tried again: %s', async (thrown, message) => {
    const { error, made } = failure([thrown]);
    expect(await error).toEqual(new TypeError(message));
    expect(made).toHaveLength(1);
  });

  it.each(['Failed to fetch', 'Load failed', 'Network request failed', 'Unable to connect'])(
    'is not what a platform says of a connection without a cause: %s',
    async (text) => {
      const { error } = failure([new TypeError(text)], { maxRetries: 0 });
      expect(await error).toMatchObject({ code: 'no_answer' });
    },
  );
});

describe('the options of a client', () => {
  it('bound how often a call is made again', async () => {
    const { error, made } = failure(Array(3).fill(refused), { maxRetries: 2 });
    expect(await error).toMatchObject({ code: 'no_answer', attempts: 3 });
    expect(made).toHaveLength(3);
  });

  it('tell each attempt, and why there is another one', async () => {
    const requests: string[] = [];
    const retries: RetryNote[] = [];
    const { stanza } = scripted([failing(503, 'maintenance', { 'retry-after': '7' }), json(200, {})], {
      onRequest: ({ method, url, attempt }) => requests.push(`${attempt} ${method} ${url}`),
      onRetry: (retry) => retries.push(retry),
    });
    await stanza.auth.validate();
    const line = 'GET https://stanza.test/v1/auth/validate';
    expect(requests).toEqual([`1 ${line}`, `2 ${line}`]);
    expect(retries).toMatchObject([
      { operation: 'auth.validate', attempt: 1, pauseMs: 7_000, error: { code: 'maintenance' } },
    ]);
  });

  it('add headers, and change none that the client needs', async () => {
    const { stanza, made } = scripted([json(200, {}), json(200, {})], {
      headers: { 'X-Proxy-Authorization': 'one', Authorization: 'other' },
    });
    await stanza.auth.validate();
    expect(made[0]?.headers.get('x-proxy-authorization')).toBe('one');
    expect(made[0]?.headers.get('authorization')).toBe(`Bearer ${secretKey}`);
    expect(made[0]?.headers.get('user-agent')).toMatch(new RegExp(`^stanza-sdk/${version} Node`));
  });

  it.each(['https://stanza.test/v1', 'https://stanza.test/v1/', 'https://stanza.test//'])(
    'take the address %s',
    async (url) => {
      const { stanza, made } = scripted([json(200, {})], { url });
      await stanza.auth.validate();
      expect(made[0]?.url).toBe('https://stanza.test/v1/auth/validate');
    },
  );
});

describe('a runtime without Web Crypto', () => {
  const { crypto } = globalThis;
  afterEach(() => {
    Object.defineProperty(globalThis, 'crypto', { value: crypto, configurable: true });
  });

  it('is told which one is needed', () => {
    Object.defineProperty(globalThis, 'crypto', { value: undefined, configurable: true });
    expect(() => new Stanza({ url: 'https://stanza.test', key: 'stz_1' })).toThrow('Node 22 or newer');
  });
});
