import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { compileTemplate } from '@stanza/contracts';
import { testStack } from '@stanza/test-kit/database';
import { v7 } from 'uuid';
import type { Api } from '../kit/api.ts';
import { openWorld, type World } from '../kit/stack.ts';
import { liveTemplate } from '../kit/templates.ts';

/** Sends raw bytes to the gateway and gathers what comes back until the connection ends. */
const exchange = async (base: string, write: (socket: Socket) => void | Promise<void>): Promise<string> => {
  const { hostname, port } = new URL(base);
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  const ended = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  socket.on('data', (chunk) => chunks.push(chunk)).on('error', () => undefined);
  await write(socket);
  await ended;
  return Buffer.concat(chunks).toString();
};

describe('the edge of the gateway', () => {
  let world: World;
  let key: string;
  let api: Api;

  beforeAll(async () => {
    world = await openWorld();
    const organization = await world.newOrganization({ connected: false });
    key = (await organization.key()).key;
    api = world.api.with(key);
  });
  afterAll(() => world.close());

  it.each(['application/x-www-form-urlencoded', 'text/plain;charset=UTF-8'])(
    'reads JSON that a program has called %s',
    async (type) => {
      const headers = { 'content-type': type };
      const body = { blocks: [{ type: 'divider' }] };
      expect(await api.post('/v1/templates/validate', body, { headers })).toMatchObject({ status: 200 });
    },
  );

  describe('a body in a coding', () => {
    const validate = async (coding: string, bytes: Uint8Array<ArrayBuffer>) => {
      const answer = await fetch(`${world.api.base}/v1/templates/validate`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          'content-encoding': coding,
        },
        body: bytes,
      });
      return { status: answer.status, headers: answer.headers, body: await answer.json() };
    };
    const plain = Buffer.from(JSON.stringify({ blocks: [{ type: 'divider' }] }));

    it.each([
      ['gzip', gzipSync],
      ['deflate', deflateSync],
      ['br', brotliCompressSync],
      ['zstd', zstdCompressSync],
      ['identity', Buffer.from],
    ])('is read: %s', async (coding, encode) => {
      const answer = await validate(coding, Buffer.from(encode(plain)));
      expect(answer).toMatchObject({ status: 200, body: { valid: true } });
    });

    it.each(['gzip', 'deflate', 'br', 'zstd'])('is refused where it is not in it: %s', async (coding) => {
      expect(await validate(coding, plain)).toMatchObject({
        status: 400,
        body: { code: 'invalid_request', error: expect.stringContaining('Content-Encoding') },
      });
    });

    it.each(['compress', 'gzip, br', 'utf-8'])(
      'is refused where it is not known, with those that are: %s',
      async (coding) => {
        const { status, headers, body } = await validate(coding, plain);
        expect([status, headers.get('accept-encoding')]).toEqual([415, 'gzip, deflate, br, zstd']);
        expect(body).toMatchObject({
          code: 'unsupported_media_type',
          error: expect.stringContaining('gzip, deflate, br, zstd'),
        });
      },
    );
  });

  it.each(['audit-log', 'messages', 'events'])(
    'reads an offset in the query whose + was not escaped: %s',
    async (list) => {
      const organization = await world.newOrganization({ connected: false });
      const reader = world.api.with((await organization.key({ role: 'owner' })).key);
      const at = (moment: string) => reader.get(`/v1/${list}?from=${moment}`);
      for (const moment of [
        '2026-11-26T10:00:00+01:00',
        '2026-11-26T10:00:00%2B01:00',
        '2026-11-26t10:00:00z',
      ]) {
        expect(await at(moment)).toMatchObject({ status: 200 });
      }
      expect((await at('yesterday')).text).toContain('%2B');
    },
  );

  it.each([
    ['1795726519.2490', 'ten digits, a dot and six digits'],
    [1795726519.249, 'as a number it loses its zeros'],
  ])('refuses a thread that lost its zeros before anything is charged: %j', async (thread_ts, why) => {
    const { id } = await liveTemplate(api);
    const before = await api.get('/v1/usage/limits');
    for (const path of ['/v1/templates/send', '/v1/scheduled-messages']) {
      const answer = await api.post(path, { template_id: id, channel_id: 'C0DEPLOYS', thread_ts });
      expect(answer).toMatchObject({ status: 422, body: { code: 'validation_failed' } });
      expect(answer.text).toContain(why);
    }
    expect((await api.get('/v1/usage/limits')).body).toEqual(before.body);
  });

  it('reads the moment of a scheduled message with lower-case letters', async () => {
    const { id } = await liveTemplate(api);
    const body = { template_id: id, data: {}, channel_id: 'C0DEPLOYS', send_at: '2099-01-31t09:00:00z' };
    expect(await api.post('/v1/scheduled-messages', body)).toMatchObject({
      status: 201,
      body: { send_at: '2099-01-31T09:00:00.000Z' },
    });
  });

  it.each([
    ['headers of 40 KB', 431, `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(40_000)}\r\n\r\n`],
    ['what is no HTTP', 400, 'NONSENSE\r\n\r\n'],
    [
      'two lengths',
      400,
      'POST /v1/templates HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    ],
    [
      'an expectation',
      417,
      'POST /v1/templates HTTP/1.1\r\nHost: x\r\nExpect: foo\r\nContent-Length: 0\r\n\r\n',
    ],
    ['a tunnel', 400, 'CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n'],
  ])('answers %s with a coded %i', async (_, status, bytes) => {
    const answer = await exchange(world.api.base, (socket) => void socket.write(bytes));
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    const body = JSON.parse(answer.split('\r\n\r\n')[1] ?? '');
    expect(body).toMatchObject({ code: 'invalid_request', request_id: expect.any(String) });
    expect(answer).toContain(`X-Request-Id: ${body.request_id}`);
  });

  it('gives a slow client the whole time of the operation once its body is there', async () => {
    const { id } = await liveTemplate(api);
    const body = JSON.stringify({ template_id: id, data: {} });
    const head = [
      'POST /v1/templates/compile HTTP/1.1',
      'Host: x',
      `Authorization: Bearer ${key}`,
      `Content-Length: ${body.length}`,
      'Connection: close',
    ];
    const answer = await exchange(world.api.base, async (socket) => {
      socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, 10)}`);
      // Longer than the operation may take: the client is slow, which is what this is about.
      await pause(compileTemplate.deadlineMs + 300);
      socket.write(body.slice(10));
    });
    expect(answer).toMatch(/^HTTP\/1.1 200 /);
  });

  it('refuses keys that an operation does not know in a query, also where it takes none', async () => {
    const id = v7();
    const asked = [
      ['GET', '/v1/templates'],
      ['GET', '/v1/auth/validate'],
      ['GET', `/v1/queues/${id}`],
      ['POST', '/v1/templates/compile'],
      ['POST', `/v1/queues/${id}/flush`],
      ['DELETE', `/v1/queues/${id}`],
    ] as const;
    for (const [method, path] of asked) {
      const refused = await api.request(method, `${path}?dry_run=true`, undefined);
      expect([path, refused]).toMatchObject([path, { status: 422, body: { code: 'validation_failed' } }]);
      expect(refused.text).toContain('["dry_run"]');
    }
  });

  it('refuses a body with keys where an operation takes none, and takes an empty one', async () => {
    const { id } = await liveTemplate(api);
    const path = `/v1/templates/${id}/archive`;
    const refused = await api.post(path, { dry_run: true });
    expect(refused).toMatchObject({ status: 422, body: { code: 'validation_failed' } });
    expect(refused.text).toContain('["dry_run"]');
    for (const raw of ['now', '[]', 'x'.repeat(600 * 1_024)]) {
      expect(await api.post(path, undefined, { raw })).toMatchObject({ status: 422 });
    }
    expect(await api.get(`/v1/templates/${id}`)).toMatchObject({ body: { lifecycle: 'active' } });
    for (const raw of ['', '{}', 'null'])
      expect(await api.post(path, undefined, { raw })).toMatchObject({ status: 200 });
  });

  it('passes over what a provider appends to the address to which it returns a person', async () => {
    const returned = await api.get(
      `/v1/chat/oauth/callback?state=${'x'.repeat(43)}&code=1&iss=https%3A%2F%2Fchat.example`,
    );
    expect(returned.status).toBe(409);
  });

  it('refuses numbers that are not finite, and the key __proto__, wherever they stand', async () => {
    const raw =
      '{"template_id":"01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f","data":{"n":1e400,"__proto__":{"x":1}}}';
    const refused = await api.post('/v1/templates/compile', undefined, { raw });
    expect(refused).toMatchObject({ status: 422, body: { code: 'validation_failed' } });
    expect(JSON.stringify(refused.body)).toContain('["data","n"]');
    expect(JSON.stringify(refused.body)).toContain('["data","__proto__"]');
  });

  it('refuses numbers that would lose their size or their digits, wherever a body has them', async () => {
    const { id } = await liveTemplate(api);
    const queue = '01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f';
    const bodies: [string, (number: string) => string, string][] = [
      ['/v1/templates/compile', (n) => `{"template_id":"${id}","data":{"n":[${n}]}}`, '["data","n",0]'],
      ['/v1/sample-data', (n) => `{"name":"x","data":{"n":${n}}}`, '["data","n"]'],
      [`/v1/queues/${queue}/events`, (n) => `{"events":[{"n":${n}}]}`, '["events",0,"n"]'],
      [
        '/v1/templates/validate',
        (n) => `{"blocks":[{"type":"divider"}],"sample_data":{"n":${n}}}`,
        '["sample_data","n"]',
      ],
    ];
    for (const [path, bodyOf, place] of bodies) {
      for (const number of [`${'9'.repeat(250)}e99`, '9007199254740993']) {
        const refused = await api.post(path, undefined, { raw: bodyOf(number) });
        expect([path, refused]).toMatchObject([path, { status: 422, body: { code: 'validation_failed' } }]);
        expect(JSON.stringify(refused.body)).toContain(place);
      }
    }
  });

  it('keeps every digit of a number that it takes', async () => {
    const { id } = await liveTemplate(api, [
      { type: 'section', text: { type: 'mrkdwn', text: '{{n}} {{s}}' } },
    ]);
    const raw = `{"template_id":"${id}","data":{"n":9007199254740991,"s":"12345678901234567890"}}`;
    const compiled = await api.post('/v1/templates/compile', undefined, { raw });
    expect(compiled.text).toContain('9007199254740991 12345678901234567890');
  });

  it('names the request in every answer, probes included', async () => {
    for (const path of ['/livez', '/version', '/openapi.json', '/v1/nowhere']) {
      const response = await fetch(world.api.base + path, { headers: { 'x-request-id': 'mine.1' } });
      expect([path, response.headers.get('x-request-id')]).toEqual([path, 'mine.1']);
    }
  });

  it('marks and counts paths without /v1 and camelCase keys, and nothing else', async () => {
    const { id } = await liveTemplate(api);
    const counted = async (what: string): Promise<number> => {
      const page = await (await fetch(testStack().metrics.gateway ?? '')).text();
      const line = new RegExp(
        `^stanza_http_deprecated_total\\{operation="compile-template",what="${what}".*\\} (\\d+)$`,
        'm',
      );
      return Number(line.exec(page)?.[1] ?? 0);
    };
    const [paths, keys] = [await counted('path'), await counted('key')];
    const dated = async (path: string, body: object) =>
      (await api.post(path, body)).headers.get('deprecation');
    // RFC 9745: a date of RFC 9651, in seconds.
    expect(await dated('/templates/compile', { template_id: id, data: {} })).toBe('@1795219200');
    expect(await dated('/v1/templates/compile', { templateId: id, data: {} })).toBe('@1795219200');
    expect(await dated('/v1/templates/compile', { template_id: id, data: { someKey: 1 } })).toBeNull();
    // Other tests use both at the same time.
    expect(await counted('path')).toBeGreaterThan(paths);
    expect(await counted('key')).toBeGreaterThan(keys);
  });

  it('serves of the documentation its page and assets alone', async () => {
    for (const path of ['/docs/explorer/package.json', '/docs/explorer/index.html', '/docs/nothing']) {
      expect((await fetch(world.api.base + path)).status).toBe(404);
    }
    expect((await fetch(`${world.api.base}/docs`, { method: 'POST' })).status).toBe(404);
  });
});
