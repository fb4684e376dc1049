import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { createTemplate, httpOperations } from '@stanza/contracts';
import { attemptTimeoutMs } from './caller.ts';
import { Stanza } from './client.ts';
import { StanzaError } from './errors.ts';
import { failing, json, scripted, secretKey, thrownBy } from './testing/scripted.ts';

const sent = { success: true, message_id: 'message-1', channel: 'C1' };
const message = { channel_id: 'C1', data: { name: 'Ada' } };
const template = '01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f';
const lost = new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } });

const keysOf = (made: readonly { headers: Headers }[]) =>
  made.map(({ headers }) => headers.get('idempotency-key'));

describe('a call', () => {
  it('waits for each attempt longer than an operation may take', () => {
    const longest = Math.max(...httpOperations.map(({ deadlineMs }) => deadlineMs));
    expect(attemptTimeoutMs).toBeGreaterThan(longest);
  });

  it('is made with the key, and answers the content and what the answer says of itself', async () => {
    const { stanza, made } = scripted([json(200, sent)]);
    const answer = await stanza.send(template, message, { idempotencyKey: 'order-1' });
    expect(answer).toEqual(sent);
    expect(JSON.stringify(answer)).toBe(JSON.stringify(sent));
    expect(answer.$answer).toEqual({
      status: 200,
      requestId: 'request-1',
      replayed: false,
      idempotencyKey: 'order-1',
      attempts: 1,
    });
    expect(made).toMatchObject([
      {
        method: 'POST',
        url: 'https://stanza.test/v1/templates/send',
        body: { template_id: template, ...message },
      },
    ]);
    expect(made[0]?.headers.get('authorization')).toBe(`Bearer ${secretKey}`);
    expect(made[0]?.headers.get('content-type')).toBe('application/json');
  });

  it('that copies from the other environment has the key of that one beside its own', async () => {
    const { stanza, made } = scripted([json(200, {}), json(200, {})]);
    const body = { from: 'preview' as const, keys: ['deploy-alert'] };
    await stanza.templates.promote(body, { sourceKey: 'stz_test_other' });
    await stanza.templates.promote(body);
    expect(made.map(({ headers }) => headers.get('x-source-authorization'))).toEqual([
      'Bearer stz_test_other',
      null,
    ]);
    expect(made[0]?.headers.get('authorization')).toBe(`Bearer ${secretKey}`);
    await expect(stanza.templates.promote(body, { sourceKey: 'a b' })).rejects.toThrow('`sourceKey`');
  });

  it('names a template by its key, or by its id: no key looks like one', async () => {
    const { stanza, made } = scripted(Array.from({ length: 4 }, () => json(200, sent)));
    await stanza.send('deploy-alert', message);
    await stanza.compile(template, {});
    await stanza.compile(template.toUpperCase(), {});
    await stanza.preview(template.slice(1));
    expect(made.map(({ body }) => body)).toEqual([
      { template_key: 'deploy-alert', ...message },
      { template_id: template },
      { template_id: template.toUpperCase() },
      { template_key: template.slice(1) },
    ]);
  });

  it('takes for an id what the API takes for no key', async () => {
    const names = ['deploy-alert', template, template.slice(1), `${template}0`, `x${template.slice(1)}`];
    const blocks = [{ type: 'divider' }];
    const { stanza, made } = scripted(names.map(() => json(200, sent)));
    for (const name of names) await stanza.compile(name, {});
    expect(made.map(({ body }) => Object.hasOwn(Object(body), 'template_key'))).toEqual(
      names.map((key) => createTemplate.body?.safeParse({ name: 'It', key, blocks }).success),
    );
  });

  it('has parameters in its path and query', async () => {
    const { stanza, made } = scripted([json(200, {})]);
    await stanza.templates.versions.diff('a/b', 'c', { against: 'd' });
    expect(made[0]?.url).toBe('https://stanza.test/v1/templates/a%2Fb/versions/c/diff?against=d');
  });

  it('with an empty id, or half of a character in one, is refused', () => {
    const { stanza, made } = scripted([]);
    expect(() => stanza.templates.delete('')).toThrow(new TypeError('an id is empty'));
    expect(() => stanza.templates.delete('a\ud800')).toThrow(new TypeError('an id has half of a character'));
    expect(made).toEqual([]);
  });

  it.each(['.', '..'])('with the id %j, which would reach another path, is refused', (id) => {
    const { stanza, made } = scripted([]);
    for (const call of [
      () => stanza.templates.delete(id),
      () => stanza.templates.versions.get(template, id),
      () => stanza.organizations.members.list(id).page(),
    ])
      expect(call).toThrow('it would name another path');
    expect(made).toEqual([]);
  });

  it.each(['../..', '%2e%2e', '...', './', '..;'])('with the id %j stays below its path', async (id) => {
    const { stanza, made } = scripted([json(200, {})]);
    await stanza.templates.get(id);
    expect(new URL(made[0]?.url ?? '').pathname).toBe(`/v1/templates/${encodeURIComponent(id)}`);
  });

  it('says that its answer was given before', async () => {
    const { stanza } = scripted([json(200, sent, { 'idempotency-replayed': 'true' })]);
    expect((await stanza.send(template, message)).$answer.replayed).toBe(true);
  });

  it('without content answers nothing', async () => {
    const { stanza } = scripted([new Response(null, { status: 204 })]);
    expect(await stanza.scim.users.delete('user-1')).toBeUndefined();
  });

  it.each([
    { url: undefined, key: 'stz_1' },
    { url: 'stanza.test', key: 'stz_1' },
    { url: 'https://stanza.test', key: undefined },
    { url: 'https://stanza.test', key: `${secretKey}\n` },
    { url: `https://ada:${secretKey}@stanza.test`, key: 'stz_1' },
    { url: 'https://stanza.test?a=b', key: 'stz_1' },
    { url: 'https://stanza.test/#a', key: 'stz_1' },
  ])('needs an address and a key that can be sent: %j', (options) => {
    expect(() => new Stanza(options)).toThrow(TypeError);
    expect(() => new Stanza(options)).not.toThrow(secretKey);
  });

  it.each(['()', '(undefined)', '(null)', '("https://stanza.test")'])(
    'says what it is made with: new Stanza%s',
    (words) => {
      expect(() => new Function('Stanza', `new Stanza${words}`)(Stanza)).toThrow(
        '`new Stanza({ url, key })`',
      );
    },
  );
});

describe('the message of an error', () => {
  const messageOf = async (facts: object) => {
    const { stanza } = scripted([json(400, { code: 'invalid_data', error: 'It does not fit.', ...facts })]);
    return Object(await thrownBy(stanza.send(template, message))).message;
  };
  const head = 'invalid_data: It does not fit. (request request-1)';

  it('has the problems of the request, and says where more of them are', async () => {
    expect(await messageOf({ details: 'a: is missing\nb: is missing' })).toBe(
      `${head}\na: is missing\nb: is missing`,
    );
    expect(await messageOf({ details: '1\n2\n3\n4\n5\n6\n7', error_details: '[{}]' })).toBe(
      `${head}\n1\n2\n3\n4\n5\nand 2 more in \`details\``,
    );
  });

  it('has the name that the chat platform gives its error', async () => {
    const said = 'invalid_data: It does not fit. (channel_not_found; request request-1)';
    expect(await messageOf({ error_details: '"channel_not_found"' })).toBe(said);
    expect(await messageOf({ error_details: 'channel_not_found' })).toBe(said);
    expect(await messageOf({ error_details: '{"a":1}' })).toBe(head);
  });
});

describe('a call that is made again', () => {
  it('keeps its idempotency key while no answer comes', async () => {
    const { stanza, made, pauses } = scripted([lost, new Response('oops', { status: 502 }), json(200, sent)]);
    const { $answer } = await stanza.send(template, message);
    const [first, ...others] = keysOf(made);
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect(others).toEqual([first, first]);
    expect([$answer.attempts, $answer.idempotencyKey]).toEqual([3, first]);
    expect(pauses).toEqual([125, 250]);
  });

  it('has another key than the next call', async () => {
    const { stanza, made } = scripted([json(200, sent), json(200, sent)]);
    await stanza.send(template, message);
    await stanza.send(template, message);
    expect(new Set(keysOf(made)).size).toBe(2);
  });

  it('waits as long as the answer says', async () => {
    const { stanza, pauses } = scripted([
      failing(429, 'rate_limited', { 'retry-after': '7' }),
      failing(503, 'maintenance', { 'retry-after': '20' }),
      new Response('<h1>Down</h1>', { status: 503, headers: { 'retry-after': '3' } }),
      json(200, sent),
    ]);
    await stanza.send(template, message);
    expect(pauses).toEqual([7_000, 20_000, 3_000]);
  });

  it('A retry waits until the moment that a proxy names, by the clock of the answer', async () => {
    const date = 'Sat, 03 Jan 2026 12:00:00 GMT';
    const until = (moment: string) =>
      new Response('Down', { status: 503, headers: { 'retry-after': moment, date } });
    const { stanza, pauses } = scripted([
      until('Sat, 03 Jan 2026 12:00:09 GMT'),
      until('Sat, 03 Jan 2026 11:00:00 GMT'),
      until('soon'),
      json(200, sent),
    ]);
    await stanza.send(template, message);
    expect(pauses).toEqual([9_000, 250, 500]);
  });

  it('keeps its key after an internal error and stops at the second one', async () => {
    const { stanza, made } = scripted([failing(500, 'internal_error'), failing(500, 'internal_error')]);
    const error = await thrownBy(stanza.send(template, message, { idempotencyKey: 'order-1' }));
    expect(keysOf(made)).toEqual(['order-1', 'order-1']);
    expect(error).toMatchObject({ code: 'internal_error', attempts: 2, idempotencyKey: 'order-1' });
  });

  it('stops at an internal error that was given before, since the request may have happened', async () => {
    const replayed = failing(500, 'internal_error', { 'idempotency-replayed': 'true' });
    const { stanza, made } = scripted([replayed]);
    expect(await thrownBy(stanza.send(template, message))).toMatchObject({ code: 'internal_error' });
    expect(made).toHaveLength(1);
  });

  it('is not made where it changes something and takes no key', async () => {
    const { stanza, made } = scripted([lost]);
    expect(await thrownBy(stanza.templates.archive(template))).toMatchObject({ code: 'no_answer' });
    expect(keysOf(made)).toEqual([null]);
  });

  it('reads once more after an error inside', async () => {
    const { stanza, made } = scripted([failing(500, 'internal_error'), failing(500, 'internal_error')]);
    await thrownBy(stanza.templates.get(template));
    expect(made).toHaveLength(2);
  });

  it('ends when the next attempt would come after its time', async () => {
    const { stanza, made, pauses } = scripted([failing(429, 'tier_limit', { 'retry-after': '7200' })]);
    expect(await thrownBy(stanza.send(template, message))).toMatchObject({
      code: 'tier_limit',
      retryAfter: 7_200,
    });
    expect([made.length, pauses]).toEqual([1, []]);
  });

  it('ends at its deadline without an answer', async () => {
    const { stanza, made } = scripted(Array(10).fill(lost), { timeoutMs: 1_000 });
    expect(await thrownBy(stanza.send(template, message))).toMatchObject({ code: 'deadline_exceeded' });
    // Pauses of 125, 250 and 500 milliseconds fit.
    expect(made).toHaveLength(4);
  });
});

describe('a number of an option', () => {
  it.each([
    ['timeoutMs', Number.NaN],
    ['attemptTimeoutMs', Number.NaN],
    ['maxRetries', -1],
  ])('%s that is %s is refused by its name', (name, value) => {
    expect(() => scripted([], { [name]: value })).toThrow(
      new TypeError(`\`${name}\` is to be a number of 0 or more: it is ${value}`),
    );
  });

  it('is checked in each call too', async () => {
    const { stanza, made } = scripted([]);
    const call = stanza.send(template, message, { timeoutMs: Number.NaN });
    expect(await thrownBy(call)).toEqual(
      new TypeError('`timeoutMs` is to be a number of 0 or more: it is NaN'),
    );
    expect(made).toEqual([]);
  });
});

describe('a value without a form in JSON', () => {
  it.each([
    ['data.rows[1].total', { rows: [{ total: null }, { total: Number.NaN }] }],
    ['data.until', { until: Number.POSITIVE_INFINITY }],
    ['data.at', { at: new Date('soon') }],
  ])('at `%s` is refused by its path, and not sent as null', async (path, data) => {
    const { stanza, made } = scripted([]);
    const call = stanza.send(template, { ...message, data });
    expect(await thrownBy(call)).toMatchObject({
      name: 'TypeError',
      message: expect.stringContaining(`\`${path}\` `),
    });
    expect(made).toEqual([]);
  });

  it('is none of null, of a date, or of what names its own form', async () => {
    const { stanza, made } = scripted([json(200, sent)]);
    const data = { a: null, at: new Date(0), own: { toJSON: () => null, n: Number.NaN } };
    await stanza.send(template, { ...message, data });
    expect(made[0]?.body).toMatchObject({ data: { a: null, at: '1970-01-01T00:00:00.000Z', own: null } });
  });
});

describe('the signal of a call', () => {
  it('is another one for each attempt, and a late answer counts as lost', async () => {
    const { stanza, made } = scripted(['silence', json(200, sent)], { attemptTimeoutMs: 1 });
    await stanza.send(template, message);
    expect(made.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  });

  it('ends what is under way', async () => {
    const caller = new AbortController();
    const { stanza, made } = scripted(['silence']);
    const call = thrownBy(stanza.send(template, message, { signal: caller.signal }));
    caller.abort();
    const text = 'the signal of the call was aborted, after 1 attempt';
    expect(await call).toMatchObject({ code: 'aborted', attempts: 1, text });
    expect(made[0]?.signal.aborted).toBe(true);
  });

  it('has its reason as the cause', async () => {
    const signal = AbortSignal.timeout(1);
    const error = await thrownBy(scripted(['silence']).stanza.send(template, message, { signal }));
    expect(error).toMatchObject({ code: 'aborted', cause: { name: 'TimeoutError' }, fault: undefined });
  });

  it('sends nothing when it has been aborted before', async () => {
    const noted: unknown[] = [];
    const { stanza, made } = scripted([], { onRequest: (note) => noted.push(note) });
    const error = await thrownBy(stanza.send(template, message, { signal: AbortSignal.abort() }));
    const text = 'the signal of the call was aborted, before the first attempt';
    expect(error).toMatchObject({ code: 'aborted', attempts: 0, text });
    expect([made, noted]).toEqual([[], []]);
  });

  it('ends a pause', async () => {
    const caller = new AbortController();
    const answer = () => failing(503, 'maintenance', { 'retry-after': '50' });
    const stanza = new Stanza({
      url: 'https://stanza.test',
      key: secretKey,
      fetch: async () => {
        setTimeout(() => caller.abort(), 1);
        return answer();
      },
    });
    const error = await thrownBy(stanza.send(template, message, { signal: caller.signal }));
    const text = expect.stringMatching(/aborted, after 1 attempt; the last one: because of maintenance$/);
    expect(error).toMatchObject({ code: 'aborted', attempts: 1, text, cause: caller.signal.reason });
  });

  it('has no listener of a call that has ended', async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners += 1;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners -= 1;
      remove(...args);
    };
    const { stanza } = scripted([lost, json(200, sent)]);
    await stanza.send(template, message, { signal });
    expect(listeners).toBe(0);
  });
});

describe('an error', () => {
  it('has what the answer says', async () => {
    const issues = [{ code: 'custom', path: ['data', 0], message: 'is odd' }];
    const { stanza } = scripted([
      json(422, {
        code: 'validation_failed',
        message: 'data.0: is odd',
        error: { issues, name: 'ValidationError' },
        details: 'data.0: is odd',
        docs: '/docs/errors#validation_failed',
      }),
    ]);
    const error = await thrownBy(stanza.send(template, message));
    expect(error).toMatchObject({
      name: 'StanzaError',
      message: 'validation_failed: data.0: is odd (request request-1)',
      text: 'data.0: is odd',
      operation: 'templates.send',
      status: 422,
      requestId: 'request-1',
      details: 'data.0: is odd',
      docs: 'https://stanza.test/docs/errors#validation_failed',
      issues,
    });
  });

  it('says the first five of many issues', async () => {
    const issues = Array.from({ length: 100 }, (_, index) => ({
      code: 'custom',
      path: ['data', index],
      message: 'is odd',
    }));
    const text = issues.map(({ path, message: said }) => `${path.join('.')}: ${said}`).join('; ');
    const { stanza } = scripted([
      json(422, { code: 'validation_failed', message: text, error: { issues, name: 'ValidationError' } }),
    ]);
    const error = Object(await thrownBy(stanza.send(template, message)));
    expect(error.text).toMatch(/^data\.0: is odd; .*; data\.4: is odd; and 95 more in `issues`$/);
    expect(error.issues).toEqual(issues);
  });

  it.each([
    ['https://other.test/errors', 'https://other.test/errors'],
    ['javascript:alert(1)', undefined],
    ['docs', undefined],
    [7, undefined],
    [undefined, undefined],
  ])('has the page that the answer names (%j) as an address of the gateway', async (docs, address) => {
    const { stanza } = scripted([json(404, { code: 'template_not_found', error: 'no', docs })]);
    expect(Object(await thrownBy(stanza.templates.get(template))).docs).toBe(address);
  });

  it('has the page below the path of its gateway', async () => {
    const docs = '/docs/errors#template_not_found';
    const { stanza } = scripted([json(404, { code: 'template_not_found', error: 'no', docs })], {
      url: 'https://stanza.test/chat/v1',
    });
    const error = await thrownBy(stanza.templates.get(template));
    expect(error).toMatchObject({ docs: `https://stanza.test/chat${docs}` });
  });

  it('names the missing scopes', async () => {
    const { stanza } = scripted([
      json(403, { code: 'insufficient_scope', error: 'no', required_scopes: ['a:b'], user_scopes: [] }),
    ]);
    expect(await thrownBy(stanza.templates.get(template))).toMatchObject({ requiredScopes: ['a:b'] });
  });

  it('narrows to the codes of one operation, and matches no other', async () => {
    const { stanza } = scripted([failing(409, 'current_version_changed')]);
    const error = await thrownBy(stanza.templates.versions.activate(template, template));
    if (!(error instanceof StanzaError)) throw error;
    expect(error.from('templates.send')).toBe(false);
    if (!error.from('templates.versions.activate')) throw error;
    const code: 'current_version_changed' | undefined =
      error.code === 'current_version_changed' ? error.code : undefined;
    expect(code).toBe('current_version_changed');
    // @ts-expect-error the activation of a version never answers this
    expect(error.code === 'chat_dm_failed').toBe(false);
  });

  it('says when the answer is not of Stanza', async () => {
    const page = new Response('<h1>Welcome</h1>', { headers: { 'content-type': 'text/html' } });
    const location = 'https://stanza.test/v1/templates/send?next=1';
    const { stanza } = scripted([page, new Response('', { status: 301, headers: { location } })]);
    expect(await thrownBy(stanza.send(template, message, { idempotencyKey: 'order-1' }))).toMatchObject({
      code: 'unreadable_answer',
      text: 'the address answered 200 with what is not JSON',
      idempotencyKey: 'order-1',
      attempts: 1,
    });
    expect(await thrownBy(stanza.send(template, message))).toMatchObject({
      code: 'unreadable_answer',
      status: 301,
      text: 'the address answered 301 and redirects to https://stanza.test/v1/templates/send, which is not followed',
    });
  });

  it.each([null, [], 'ok', 5])('says that %j, which is JSON, is not of Stanza', async (content) => {
    const { stanza } = scripted([json(200, content)]);
    expect(await thrownBy(stanza.templates.get(template))).toMatchObject({
      code: 'unreadable_answer',
      text: 'the address answered 200 with JSON that is not of Stanza',
    });
  });

  it.each([
    { code: 'unavailable', message: 'down' },
    { code: 'unavailable', error: 'down', details: [{ type: 'RetryInfo' }] },
  ])('takes %j of something on the way for no error of Stanza', async (content) => {
    const { stanza } = scripted([json(503, content), json(404, content)], { maxRetries: 0 });
    expect(await thrownBy(stanza.templates.get(template))).toMatchObject({ code: 'no_answer', status: 503 });
    expect(await thrownBy(stanza.templates.get(template))).toMatchObject({ code: 'unreadable_answer' });
  });

  it('never holds the key', async () => {
    const telling = Object.assign(new Error(`sent with ${secretKey}`), {
      request: { headers: { authorization: `Bearer ${secretKey}` } },
    });
    const { stanza } = scripted([telling, failing(401, 'invalid_token')]);
    for (const call of [stanza.templates.archive(template), stanza.templates.get(template)]) {
      const error = await thrownBy(call);
      expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(secretKey);
    }
    expect(inspect(stanza, { depth: 10, showHidden: true })).not.toContain(secretKey);
  });
});
