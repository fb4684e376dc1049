import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  createDestination,
  deleteDestination,
  getBatch,
  getSigningSecret,
  listDeliveries,
  retryDelivery,
  testDestination,
} from '@stanza/contracts';
import { testStack } from '@stanza/test-kit/database';
import type { Api } from '../kit/api.ts';
import { batchOutcome, sendBatch } from '../kit/destination-batches.ts';
import { type Receiver, signatureOf, startReceiver } from '../kit/receiver.ts';
import { openWorldWith, type World } from '../kit/stack.ts';
import { waitFor } from '../kit/wait.ts';

const token = 't0ken-of-the-tickets-4711';

describe('a destination', () => {
  let world: World;
  let api: Api;
  let receiver: Receiver;

  beforeAll(async () => {
    ({ world, api } = await openWorldWith({ tier: 'pro', credits: 10 }));
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    receiver = await startReceiver();
  });
  afterEach(() => receiver.close());

  const newDestination = async (body: object): Promise<string> => {
    const headers = { Authorization: `Bearer ${token}` };
    const all = { name: 'Tickets', url: receiver.url, auth_type: 'bearer', headers, ...body };
    return (await api.ok(createDestination, { body: all })).id;
  };
  const deliveries = async (id: string) => (await api.ok(listDeliveries, { params: { id } })).data;

  it('is no part of the stack: the stand-in of the identity provider signs nothing for it', async () => {
    const { identity_url, sandbox_url, database_url, metrics } = testStack();
    const payload = { subject: 'olivia@acme-rockets.example', email: 'olivia@acme-rockets.example' };
    const { port } = new URL(database_url);
    const others = [sandbox_url, world.api.base, metrics.delivery, `http://127.0.0.1:${port}`];
    for (const url of [`${identity_url}/token`, ...others]) {
      const refused = await api.post('/v1/destinations', { name: 'Inside', url });
      expect([url, refused]).toMatchObject([url, { status: 422, body: { code: 'validation_failed' } }]);
    }
    // Asked from outside it, as a destination could be that leads to it by a way of its own.
    const asked = await fetch(`${identity_url}/token`, { method: 'POST', body: JSON.stringify(payload) });
    expect([asked.status, await asked.text()]).toEqual([401, expect.not.stringContaining('access_token')]);
  });

  it('keeps no token that its receiver answers', async () => {
    const jwt = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJvbGl2aWEifQ.c2lnbmVk';
    receiver.text = JSON.stringify({ access_token: jwt, note: jwt });
    const id = await newDestination({});
    await api.ok(testDestination, { params: { id }, body: { payload: { type: 'test' } } });
    const kept = JSON.stringify(await deliveries(id));
    expect(kept).toContain('[redacted]');
    expect(kept).not.toContain('eyJ');
  });

  it('receives the batches of a queue, signed, and cannot be deleted while the queue names it', async () => {
    const id = await newDestination({});
    const batch = await sendBatch(api, id);
    expect(await batchOutcome(api, batch)).toMatchObject({ status: 'delivered' });
    const { secret } = await api.ok(getSigningSecret, { params: { id } });
    const [request] = receiver.received;
    if (!request) throw new Error('nothing arrived');
    expect(JSON.parse(request.body)).toMatchObject({
      queue: { id: batch.id, name: 'Deploys' },
      event_count: 2,
      events: [{ service: 'api' }, { service: 'web' }],
    });
    expect(request.headers).toMatchObject({
      authorization: `Bearer ${token}`,
      'webhook-signature': signatureOf(request, secret),
    });
    const removal = await api.request('DELETE', `/v1/destinations/${id}`);
    expect([removal.status, Object(removal.body).code]).toEqual([409, 'invalid_state']);
  });

  it('that refuses leaves a dead letter, which one call replays: then its batch is delivered', async () => {
    receiver.answers.push(400);
    const id = await newDestination({});
    const batch = await sendBatch(api, id);
    expect(await batchOutcome(api, batch)).toMatchObject({ status: 'failed', error: 'destination_failed' });
    const [dead] = await deliveries(id);
    await api.ok(retryDelivery, { params: { id, delivery_id: dead?.id ?? '' } });
    const replayed = await waitFor('the replay', async () => {
      const [delivery] = await deliveries(id);
      return delivery?.status === 'delivered' && delivery;
    });
    expect(replayed.attempts.map((it) => it.http_status)).toEqual([400, 200]);
    const { id: queue, batch_id } = batch;
    await waitFor('the outcome of its batch', async () => {
      const { status } = await api.ok(getBatch, { params: { id: queue, batch_id } });
      return status === 'delivered';
    });
  });

  it('can be tried where the operator enabled its host, and only there', async () => {
    const id = await newDestination({});
    expect(await api.ok(testDestination, { params: { id }, body: {} })).toMatchObject({ success: true });
    expect(await api.post(`/v1/destinations/${id}/test`)).toMatchObject({
      status: 200,
      body: { success: true },
    });
    const elsewhere = await newDestination({ url: 'https://hooks.example.com/' });
    const refused = await api.post(`/v1/destinations/${elsewhere}/test`, {});
    expect([refused.status, Object(refused.body).code]).toEqual([503, 'destination_test_host_not_enabled']);
    expect(await api.ok(deleteDestination, { params: { id: elsewhere } })).toMatchObject({ success: true });
  });

  it('has its credentials in no log of any service', async () => {
    await newDestination({});
    const folder = join(dirname(process.env.STANZA_TEST_STACK ?? ''), 'logs');
    const logs = await Promise.all(
      (await readdir(folder)).map((file) => readFile(join(folder, file), 'utf8')),
    );
    expect(logs.join('').length).toBeGreaterThan(1_000);
    expect(logs.join('')).not.toContain(token);
  });
});
