import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createDestination,
  createQueue,
  flushQueue,
  getBatch,
  getCredits,
  getMessage,
  listDeliveries,
  pushEvents,
} from '@stanza/contracts';
import { backUp, putBack } from '../kit/base-backup.ts';
import { RestartedStack } from '../kit/own-stack.ts';
import { type Receiver, startReceiver } from '../kit/receiver.ts';
import { sharedByTests } from '../kit/shared.ts';
import { liveTemplate } from '../kit/templates.ts';
import { waitFor } from '../kit/wait.ts';

describe('a backup of Postgres and of the keys, taken while everything runs', () => {
  const own = sharedByTests(() => RestartedStack.start('restore'));
  let backup: string;
  let receiver: Receiver;

  beforeAll(async () => {
    backup = await mkdtemp(join(tmpdir(), 'stanza-backup-'));
    receiver = await startReceiver();
  });
  afterAll(async () => {
    await receiver?.close();
    await rm(backup, { recursive: true, force: true });
  });

  it('brings back messages, credits, keys and answers; what waited goes on, and nothing is posted twice', async () => {
    const organization = await own().world.newOrganization({ tier: 'pro', credits: 10 });
    const { key } = await organization.key();
    let api = own().world.api.with(key);
    const template = await liveTemplate(api);
    const send = () =>
      api.post(
        '/v1/templates/send',
        { template_id: template.id, channel_id: 'C0DEPLOYS', data: {} },
        { headers: { 'idempotency-key': 'before the loss' } },
      );
    const sent = await send();
    expect(sent.status).toBe(200);

    // A digest whose destination is down until the restore: it waits for its next attempt.
    receiver.answers.push(...Array.from({ length: 20 }, () => 503));
    const policy = {
      retry_enabled: true,
      max_retries: 10,
      retry_strategy: 'fixed',
      retry_initial_delay_ms: 8_000,
    };
    const destination = await api.ok(createDestination, {
      body: { name: 'Tickets', url: receiver.url, ...policy },
    });
    const queue = await api.ok(createQueue, {
      body: {
        name: 'Deploys',
        mode: 'rolling_window',
        window_seconds: 3_600,
        destination_id: destination.id,
      },
    });
    const { batch_id } = await api.ok(pushEvents, {
      params: { id: queue.id },
      body: { events: [{ number: 1 }] },
    });
    await api.ok(flushQueue, { params: { id: queue.id } });
    await waitFor('the first attempt', async () => {
      const { data } = await api.ok(listDeliveries, { params: { id: destination.id } });
      return data[0]?.attempts[0]?.outcome === 'refused';
    });
    const balance = async () => api.ok(getCredits, { params: { organization_id: organization.id } });
    const before = await waitFor('the charge', async () => {
      const credits = await balance();
      return credits.reserved === 0 && credits;
    });

    const data = await backUp(own().stack.info.database_url, backup);
    await copyFile(join(own().directory, 'secrets.json'), join(backup, 'secrets.json'));
    await own().stop();
    for (const lost of [data, own().directory]) await rm(lost, { recursive: true, force: true });

    await mkdir(own().directory, { recursive: true });
    await copyFile(join(backup, 'secrets.json'), join(own().directory, 'secrets.json'));
    await putBack(backup, data);
    receiver.answers.length = 0;
    const attempts = receiver.received.length;
    await own().start();
    api = own().world.api.with(key);

    const { message_id: id } = Object(sent.body);
    expect(await api.ok(getMessage, { params: { id } })).toMatchObject({ id, status: 'sent' });
    expect((await balance()).balance).toBe(before.balance);
    const again = await send();
    expect([again.status, again.body]).toEqual([200, sent.body]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    const ended = await waitFor('the digest that waited', async () => {
      const batch = await api.ok(getBatch, { params: { id: queue.id, batch_id } });
      return batch.ended_at !== null && batch;
    });
    expect(ended.status).toBe('delivered');
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(receiver.received).toHaveLength(attempts + 1);
    // The platform is a new one, and was asked for nothing again.
    expect(await own().world.sandbox.messages('C0DEPLOYS')).toEqual([]);
  });
});
