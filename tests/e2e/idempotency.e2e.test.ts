import { describe, expect, it } from '@jest/globals';
import { createQueue, getCredits, listMessages } from '@stanza/contracts';
import { v7 } from 'uuid';
import type { Api, ApiOptions } from '../kit/api.ts';
import { channelsOf } from '../kit/channels.ts';
import type { TestOrganization } from '../kit/organization.ts';
import { sharedByTests } from '../kit/shared.ts';
import { openWorldWith } from '../kit/stack.ts';
import { liveTemplate, withLiveTemplate } from '../kit/templates.ts';
import { waitFor } from '../kit/wait.ts';

const compilePath = '/v1/templates/compile';
const sendPath = '/v1/templates/send';

const channels = channelsOf('idempotency');

const keyed = (key: string, more: ApiOptions = {}): ApiOptions => ({
  ...more,
  headers: { 'idempotency-key': key, ...more.headers },
});

describe('a request with an Idempotency-Key', () => {
  const own = sharedByTests(() => withLiveTemplate(openWorldWith({ tier: 'pro' })));
  const data = { service: 'api', version: '1.4.2' };

  const balanceOf = async (of: TestOrganization, by: Api): Promise<number> => {
    const credits = await waitFor('every reservation to be settled', async () => {
      const shown = await by.ok(getCredits, { params: { organization_id: of.id } });
      return shown.reserved === 0 && shown;
    });
    return credits.balance;
  };
  const balance = () => balanceOf(own().organization, own().api);
  const compileBody = () => ({ template_id: own().template.id, data });
  const sendBody = (channel_id: string) => ({ template_id: own().template.id, data, channel_id });

  it('is answered again byte for byte, under its new request id, and runs and costs nothing again', async () => {
    const key = v7();
    const before = await balance();
    const first = await own().api.post(compilePath, compileBody(), keyed(key));
    expect(first).toMatchObject({ status: 200, body: { success: true } });
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    const again = await own().api.post(
      compilePath,
      compileBody(),
      keyed(key, { headers: { 'x-request-id': 'second.1' } }),
    );
    expect(again.status).toBe(200);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'));
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.headers.get('idempotency-original-request-id')).toBe(first.headers.get('x-request-id'));
    expect(again.headers.get('x-request-id')).toBe('second.1');
    expect(await balance()).toBe(before - 1);
  });

  it('sent twice at the same moment posts one message; the other hears that the first is running', async () => {
    const key = v7();
    const channel = channels.next();
    await own().world.sandbox.slowPosts(channel, 500, 1);
    const answers = await Promise.all(
      [1, 2].map(() => own().api.post(sendPath, sendBody(channel), keyed(key))),
    );
    expect(answers.map((it) => it.status).sort()).toEqual([200, 409]);
    expect(answers.find((it) => it.status === 409)?.body).toMatchObject({ code: 'idempotency_in_progress' });
    const replayed = await own().api.post(sendPath, sendBody(channel), keyed(key));
    expect(replayed.text).toBe(answers.find((it) => it.status === 200)?.text);
    expect(await own().world.sandbox.messages(channel)).toHaveLength(1);
  });

  it('counts against the authoring rate once, however often its answer is given', async () => {
    const body = { name: 'Counted', title: 'Counted', blocks: [{ type: 'divider' }] };
    // Of an organization of its own: requests of other tests would leave the window in the meantime.
    const another = own().world.api.with(
      (await (await own().world.newOrganization({ tier: 'pro' })).key()).key,
    );
    const make = (key: string) => another.post('/v1/modals', body, keyed(key));
    const key = v7();
    const leftOf = ({ headers }: { headers: Headers }) =>
      Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);
    const first = await make(key);
    expect(first.status).toBe(201);
    for (let time = 0; time < 3; time += 1) {
      const again = await make(key);
      expect([again.text, again.headers.get('ratelimit')]).toEqual([first.text, null]);
    }
    expect(leftOf(await make(v7()))).toBe(leftOf(first) - 1);
  });

  it('conflicts with another request under the same key', async () => {
    const key = v7();
    await own().api.post(compilePath, compileBody(), keyed(key));
    const other = await own().api.post(
      compilePath,
      { ...compileBody(), data: { service: 'web' } },
      keyed(key),
    );
    expect(other).toMatchObject({ status: 409, body: { code: 'idempotency_conflict' } });
  });

  it('conflicts with the same body under another path of the operation', async () => {
    const queue = async (): Promise<string> => {
      const target = { channel_id: channels.next() };
      const body = {
        name: 'Digest',
        mode: 'fixed_volume',
        threshold: 100,
        template_id: own().template.id,
        ...target,
      };
      return (await own().api.ok(createQueue, { body })).id;
    };
    const [one, other] = [await queue(), await queue()];
    const key = v7();
    const push = (id: string) =>
      own().api.post(`/v1/queues/${id}/events`, { events: [{ id: 'e1' }] }, keyed(key));
    const first = await push(one);
    expect(first.status).toBe(200);
    expect((await push(one)).text).toBe(first.text);
    expect(await push(other)).toMatchObject({ status: 409, body: { code: 'idempotency_conflict' } });
  });

  it('is the same request in another order of keys, in camelCase and without /v1', async () => {
    const key = v7();
    const first = await own().api.post(compilePath, compileBody(), keyed(key));
    const spellings: [string, object][] = [
      [compilePath, { data: { version: '1.4.2', service: 'api' }, template_id: own().template.id }],
      [compilePath, { templateId: own().template.id, data }],
      ['/templates/compile', compileBody()],
      [compilePath, { ...compileBody(), template_id: own().template.id.toUpperCase() }],
    ];
    for (const [path, body] of spellings) {
      const again = await own().api.post(path, body, keyed(key));
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(again.text).toBe(first.text);
    }
  });

  it('is a new request on another endpoint, in another environment and for another organization', async () => {
    const key = v7();
    await own().api.post(compilePath, compileBody(), keyed(key));
    const sent = await own().api.post(sendPath, sendBody(channels.next()), keyed(key));
    expect(sent.status).toBe(200);
    const preview = own().api.with((await own().organization.key({ environment: 'preview' })).key);
    const other = await own().world.newOrganization({ connected: false });
    for (const elsewhere of [preview, own().world.api.with((await other.key()).key)]) {
      const { id } = await liveTemplate(elsewhere);
      const compiled = await elsewhere.post(compilePath, { template_id: id, data }, keyed(key));
      expect(compiled.status).toBe(200);
      expect(compiled.headers.get('idempotency-replayed')).toBeNull();
    }
  });

  it('is the same request for every key of the organization', async () => {
    const key = v7();
    const first = await own().api.post(compilePath, compileBody(), keyed(key));
    const colleague = own().api.with((await own().organization.key({ role: 'member' })).key);
    expect((await colleague.post(compilePath, compileBody(), keyed(key))).text).toBe(first.text);
  });

  it.each([
    ['no character', ''],
    ['256 characters', 'x'.repeat(256)],
  ])('of %s is refused beside everything else that is wrong', async (_, key) => {
    const refused = await own().api.post(compilePath, { ...compileBody(), colour: 1 }, keyed(key));
    expect(refused).toMatchObject({
      status: 422,
      body: {
        code: 'validation_failed',
        error: {
          issues: expect.arrayContaining([
            expect.objectContaining({ path: ['Idempotency-Key'] }),
            expect.objectContaining({ path: ['colour'] }),
          ]),
        },
      },
    });
  });

  it('of 255 characters is taken', async () => {
    const answer = await own().api.post(compilePath, compileBody(), keyed(v7().padEnd(255, '~')));
    expect(answer.status).toBe(200);
  });

  it('that was refused before it ran leaves the key free', async () => {
    const key = v7();
    const body = { ...compileBody(), colour: 1 };
    expect((await own().api.post(compilePath, body, keyed(key))).status).toBe(422);
    const viewer = own().api.with((await own().organization.key({ role: 'viewer' })).key);
    expect((await viewer.post(compilePath, compileBody(), keyed(key))).status).toBe(403);
    const answer = await own().api.post(compilePath, compileBody(), keyed(key));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('idempotency-replayed')).toBeNull();
  });

  it('that was refused by the service is refused again in the same words', async () => {
    const key = v7();
    const body = { template_id: v7(), data };
    const first = await own().api.post(compilePath, body, keyed(key));
    expect(first).toMatchObject({ status: 404, body: { code: 'template_not_found' } });
    const again = await own().api.post(compilePath, body, keyed(key));
    expect([again.status, again.text]).toEqual([404, first.text]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
  });

  it('whose message got lost is told so again, and never posted again', async () => {
    const key = v7();
    const channel = channels.next();
    await own().world.sandbox.loseAnswer(channel);
    const history = { method: 'conversations.history', channel, mode: 'error', value: 'missing_scope' };
    await own().world.sandbox.setFault(history);
    const first = await own().api.post(sendPath, sendBody(channel), keyed(key));
    expect(first).toMatchObject({ status: 502, body: { code: 'delivery_outcome_unknown' } });
    const again = await own().api.post(sendPath, sendBody(channel), keyed(key));
    expect([again.status, again.text]).toEqual([502, first.text]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await own().world.sandbox.messages(channel)).toHaveLength(1);
  });

  it('that the platform was too busy for leaves the key free, and its messages are found by it', async () => {
    const key = v7();
    const channel = channels.next();
    const busy = { method: 'chat.postMessage', channel, mode: 'rate_limited', value: 60, times: 1 };
    await own().world.sandbox.setFault(busy);
    const refused = await own().api.post(sendPath, sendBody(channel), keyed(key));
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    const other = channels.next();
    const sent = await own().api.post(sendPath, sendBody(other), keyed(key));
    expect(sent.status).toBe(200);
    expect(sent.headers.get('idempotency-replayed')).toBeNull();
    const log = await own().api.ok(listMessages, { query: { idempotency_key: key } });
    expect(log.data.map((it) => [it.destination.channel_id, it.status])).toEqual([
      [other, 'sent'],
      [channel, 'failed'],
    ]);
    expect((await own().api.ok(listMessages, { query: { idempotency_key: v7() } })).data).toEqual([]);
  });

  it('on an operation that takes no key runs as often as it is made', async () => {
    const key = v7();
    const body = { name: 'Twice', data: {} };
    const made = await Promise.all([1, 2].map(() => own().api.post('/v1/sample-data', body, keyed(key))));
    expect(made.map((it) => it.status)).toEqual([201, 201]);
    const tooLong = await own().api.post('/v1/sample-data', body, keyed('x'.repeat(300)));
    expect(tooLong.status).toBe(201);
  });

  it('costs one credit however often and however it races', async () => {
    const another = await own().world.newOrganization({ connected: false, credits: 100 });
    const by = own().world.api.with((await another.key()).key);
    const { id } = await liveTemplate(by);
    const key = v7();
    const ask = () => by.post(compilePath, { template_id: id, data }, keyed(key));
    const racing = await Promise.all(Array.from({ length: 30 }, ask));
    expect(
      racing.filter((it) => it.headers.get('idempotency-replayed') === null && it.status === 200),
    ).toHaveLength(1);
    for (let turn = 0; turn < 5; turn += 1) expect((await ask()).status).toBe(200);
    const provisional = 'select from organization.provisional_charges where organization_id = $1';
    await waitFor(
      'the charge to be final',
      async () => (await own().world.database.query(provisional, [another.id])).rowCount === 0,
    );
    expect(await balanceOf(another, by)).toBe(99);
  });
});
