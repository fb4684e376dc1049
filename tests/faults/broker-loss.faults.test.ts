import { describe, expect, it } from '@jest/globals';
import {
  createDestination,
  createQueue,
  createScheduledMessage,
  flushQueue,
  getCredits,
  getScheduledMessage,
  pushEvents,
} from '@stanza/contracts';
import { startOwnStackWith } from '../kit/own-stack.ts';
import { startReceiver } from '../kit/receiver.ts';
import { sharedByTests } from '../kit/shared.ts';
import { withLiveTemplate } from '../kit/templates.ts';
import { waitFor } from '../kit/wait.ts';

const credits = 100;
const digests = 8;
const payloads = 8;
const scheduled = 4;
/** Services whose outboxes hold work of these stories. */
const outboxes = ['queue_ingest', 'delivery', 'organization'] as const;

describe('a broker that is replaced while jobs are outstanding', () => {
  const own = sharedByTests(() =>
    withLiveTemplate(startOwnStackWith('storage', { tier: 'enterprise', credits })),
  );
  const receiver = sharedByTests(startReceiver);

  /** Jobs of a service that were tried and are not yet answered. */
  const outstanding = async (schema: (typeof outboxes)[number]): Promise<number> => {
    const { rowCount } = await own().world.database.query(
      `select from ${schema}.outbox where kind = 'work' and attempt > 0`,
    );
    return rowCount ?? 0;
  };

  const replaceBroker = async (): Promise<void> => {
    await own().stack.process('nats').stop('SIGKILL');
    await own().stack.process('nats').start();
  };

  const nothingIsOpen = (): Promise<boolean> =>
    waitFor('the outboxes to be empty and credits to be settled', async () => {
      const open = await Promise.all(outboxes.map(outstanding));
      const { status, body } = await own().api.get(`/v1/credits/${own().organization.id}`);
      return status === 200 && Object(body).reserved === 0 && open.every((rows) => rows === 0);
    });

  const balance = async (): Promise<number> =>
    (await own().api.ok(getCredits, { params: { organization_id: own().organization.id } })).balance;

  const newQueue = async (target: object): Promise<string> => {
    const policy = { mode: 'rolling_window', window_seconds: 3_600 };
    return (await own().api.ok(createQueue, { body: { name: 'Deploys', ...policy, ...target } })).id;
  };

  /** Closes a batch of one event, which delivery is yet to deliver. */
  const closeBatch = async (id: string): Promise<void> => {
    await own().api.ok(pushEvents, { params: { id }, body: { events: [{ queue: id }] } });
    await own().api.ok(flushQueue, { params: { id } });
  };

  it('has lost no digest, no payload and no scheduled message, and none of them comes twice', async () => {
    const destination = await own().api.ok(createDestination, {
      body: { name: 'Tickets', url: receiver().url, retry_enabled: true, max_retries: 3 },
    });
    const channels = Array.from({ length: digests + scheduled }, (_, at) => `C${1_700 + at}`);
    const schedules: string[] = [];
    for (const channel_id of channels.slice(digests)) {
      const send_at = new Date(Date.now() + 10_000).toISOString();
      const body = { template_id: own().template.id, data: {}, channel_id, send_at };
      schedules.push((await own().api.ok(createScheduledMessage, { body })).id);
    }
    const toChannels = await Promise.all(
      channels
        .slice(0, digests)
        .map((channel_id) => newQueue({ template_id: own().template.id, channel_id })),
    );
    const toDestination = await Promise.all(
      Array.from({ length: payloads }, () => newQueue({ destination_id: destination.id })),
    );
    // Delivery stands still: what it is to do waits in the outbox when the broker goes.
    await own().stack.process('delivery').freeze();
    await Promise.all([...toChannels, ...toDestination].map(closeBatch));
    await waitFor(
      'all batches to be handed over',
      async () => (await outstanding('queue_ingest')) === digests + payloads,
    );
    await replaceBroker();
    own().stack.process('delivery').thaw();

    await waitFor('every batch to be delivered', async () => {
      const { rows } = await own().world.database.query<{ status: string }>(
        'select status from queue_ingest.batches where organization_id = $1',
        [own().organization.id],
      );
      return rows.length === digests + payloads && rows.every(({ status }) => status === 'delivered');
    });
    await waitFor('every scheduled message to be sent', async () => {
      const found = await Promise.all(
        schedules.map((id) => own().api.ok(getScheduledMessage, { params: { id } })),
      );
      return found.every(({ last_run }) => last_run?.status === 'sent');
    });
    await nothingIsOpen();
    for (const channel of channels) {
      expect([channel, (await own().world.sandbox.messages(channel)).length]).toEqual([channel, 1]);
    }
    const delivered = receiver().received.map(({ body }) => JSON.parse(body).events[0].queue);
    expect(delivered.sort()).toEqual(toDestination.sort());
    expect(await balance()).toBe(credits - channels.length);
  });

  it('has lost no settlement of credits, and none counts twice', async () => {
    const before = await balance();
    const channel_id = 'C1790';
    await own().world.sandbox.slowPosts(channel_id, 2_000, 1);
    const sending = own().api.post('/v1/templates/send', {
      template_id: own().template.id,
      channel_id,
      data: {},
    });
    await waitFor('the post to begin', async () => {
      const { rows } = await own().world.database.query<{ status: string }>(
        'select status from delivery.messages where channel_id = $1',
        [channel_id],
      );
      return rows[0]?.status === 'posting';
    });
    await own().stack.process('organization').freeze();
    expect(await sending).toMatchObject({ status: 200 });
    await waitFor('the settlement to be outstanding', async () => (await outstanding('delivery')) > 0);
    await replaceBroker();
    own().stack.process('organization').thaw();
    await nothingIsOpen();
    expect(await balance()).toBe(before - 1);
    expect(await own().world.sandbox.messages(channel_id)).toHaveLength(1);
  });
});
