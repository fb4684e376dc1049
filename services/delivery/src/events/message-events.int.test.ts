import { beforeEach, describe, expect, it } from '@jest/globals';
import { publicEventTypes } from '@stanza/contracts';
import { newContext } from '@stanza/runtime';
import { runJob } from '@stanza/test-kit/service-world';
import { sharedByTests } from '@stanza/test-kit/shared';
import { v7 as uuidv7 } from 'uuid';
import { endAbandonedMessages } from '../messages/jobs/abandoned-messages.ts';
import { createDeferredSender } from '../messages/jobs/deferred-sends.ts';
import { orderBatch } from '../messages/origins/batch.ts';
import { resolve } from '../messages/settle.ts';
import { tenantOf } from '../messages/store/abandoned-messages.ts';
import { deliverBatch } from '../operations/deliver-batch.ts';
import { replaceTestTargets } from '../operations/replace-test-targets.ts';
import { testSendBlocks } from '../operations/test-send-blocks.ts';
import { testSendVersion } from '../operations/test-send-version.ts';
import { deliveriesOf } from '../testing/deliveries.ts';
import { eventsOf, subscribe } from '../testing/events.ts';
import { lookUpUnknown } from '../testing/lookups.ts';
import { twoEvents } from '../testing/services.ts';
import {
  ask,
  connected,
  newChannel,
  newSender,
  openWorld,
  refusalOf,
  rowsOf,
  type Sender,
  send,
  sendToMany,
  shortDeadlineMs,
} from '../testing/world.ts';

const method = 'chat.postMessage';

describe('the outcome of a message', () => {
  const world = sharedByTests(openWorld);
  let me: Sender;

  beforeEach(async () => {
    me = await newSender(world());
  });

  const only = async () => {
    const [row, ...others] = await rowsOf(world(), me.principal);
    if (!row || others.length > 0) throw new Error(`there are ${others.length} other messages`);
    return row;
  };
  /** Sends while the platform misbehaves. */
  const sendAmid = async (mode: string, value?: string): Promise<void> => {
    await world().misbehave({ method, channel: me.channel, mode, ...(value !== undefined && { value }) });
    const context = newContext({ deadlineMs: shortDeadlineMs, principal: me.principal });
    await Promise.allSettled([send(world(), me.principal, { channel_id: me.channel }, context)]);
  };

  it('is an event when it was sent, with what the message log says of it', async () => {
    await subscribe(world(), me.principal, ['message.sent']);
    const sent = await send(world(), me.principal, { channel_id: me.channel });
    const row = await only();
    expect(await eventsOf(world(), me.principal)).toEqual([
      {
        id: expect.any(String),
        type: 'message.sent',
        created_at: expect.any(String),
        organization_id: me.principal.organization_id,
        environment: 'production',
        data: {
          message_id: row.id,
          template_id: row.template_id,
          version_id: row.version_id,
          version_number: row.version_number,
          origin: 'send',
          destination: { channel_id: me.channel },
          channel: me.channel,
          request_id: row.request_id,
          message_ts: sent.message_ts,
          was_unknown: false,
          credit_log_id: row.credit_log_id,
        },
      },
    ]);
  });

  it('is an event of a test, which says so, and names no template or version where there is none', async () => {
    await subscribe(world(), me.principal, ['message.sent']);
    const targets = [{ channel_id: me.channel }];
    await ask(replaceTestTargets(world()), { body: { targets } }, me.principal);
    const context = newContext({ deadlineMs: 15_000, principal: me.principal });
    const params = { id: uuidv7(), version_id: uuidv7() };
    await ask(testSendVersion(world()), { params, body: { channel_id: me.channel } }, me.principal, context);
    const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: 'A draft' } }];
    await ask(testSendBlocks(world()), { body: { blocks, data: {}, channel_id: me.channel } }, me.principal);
    const [ofVersion, ofBlocks] = (await eventsOf(world(), me.principal)).map(({ data }) => data);
    const { id: template_id, version_id } = params;
    expect(ofVersion).toMatchObject({ test: true, template_id, version_id, version_number: 3 });
    expect(ofBlocks).toMatchObject({ test: true, origin: 'send', channel: me.channel });
    for (const field of ['template_id', 'version_id', 'version_number'])
      expect(ofBlocks).not.toHaveProperty(field);
  });

  it('is an event when it failed, with the reason', async () => {
    await subscribe(world(), me.principal, ['message.sent', 'message.failed']);
    await sendAmid('error', 'is_archived');
    const { id } = await only();
    expect(await eventsOf(world(), me.principal)).toMatchObject([
      {
        type: 'message.failed',
        data: { message_id: id, error: 'invalid_destination', error_details: '"is_archived"' },
      },
    ]);
  });

  it('is an event when it is unknown, and another when it is found, once however often it is found', async () => {
    await subscribe(world(), me.principal);
    await sendAmid('reset_before');
    const row = await only();
    const told = { ...row, id: row.id };
    for (const _ of [1, 2]) await resolve(world(), tenantOf(told), row.id, '1795249800.000100');
    expect(await eventsOf(world(), me.principal)).toMatchObject([
      { type: 'message.unknown', data: { message_id: row.id, error: 'delivery_outcome_unknown' } },
      {
        type: 'message.sent',
        data: { message_id: row.id, was_unknown: true, message_ts: '1795249800.000100' },
      },
    ]);
    expect((await eventsOf(world(), me.principal)).at(-1)?.data).not.toHaveProperty('credit_log_id');
  });

  it('is an event for each message of a bulk send', async () => {
    await subscribe(world(), me.principal, ['message.sent']);
    const channels = [newChannel(), newChannel(), newChannel()];
    await sendToMany(world(), me.principal, { destinations: channels.map((channel_id) => ({ channel_id })) });
    const ids = (await rowsOf(world(), me.principal)).map(({ id }) => id);
    const events = await eventsOf(world(), me.principal);
    expect(events.map(({ data }) => 'message_id' in data && data.message_id).sort()).toEqual(ids.sort());
    expect(new Set(events.map(({ id }) => id)).size).toBe(3);
  });

  it('is an event for the digest of a batch', async () => {
    await subscribe(world(), me.principal, ['message.sent']);
    const content = twoEvents(me.channel);
    world().others.answers.batches.set(content.batch.id, content);
    const { organization_id, environment } = me.principal;
    const work = {
      organization_id,
      environment,
      queue_id: content.queue.id,
      batch_id: content.batch.id,
      operation_id: uuidv7(),
    };
    await runJob(deliverBatch(world()), work);
    const sender = createDeferredSender(world(), {
      batch: orderBatch(world()),
      schedule: async () => undefined,
    });
    await sender.begin();
    await sender.settled();
    expect(await eventsOf(world(), me.principal)).toMatchObject([
      { type: 'message.sent', data: { origin: 'batch', origin_id: content.batch.id } },
    ]);
  });

  it.each([
    ['accepted', 'message.failed'],
    ['posting', 'message.unknown'],
  ])(
    'is an event when the process died after it was %s: %s, however often it is swept',
    async (status, type) => {
      await subscribe(world(), me.principal);
      await send(world(), me.principal, { channel_id: me.channel });
      await world().rows(
        `update messages
       set status = $2, charged = null, message_ts = null, deadline_at = now() - interval '1 minute',
         posting_at = now(), posting_fence = fence
       where organization_id = $1`,
        [me.principal.organization_id, status],
      );
      await Promise.all([endAbandonedMessages(world()), endAbandonedMessages(world())]);
      await endAbandonedMessages(world());
      const { id } = await only();
      expect((await eventsOf(world(), me.principal)).slice(1)).toMatchObject([
        { type, data: { message_id: id } },
      ]);
      // Ends the lookups of a message of this test.
      await lookUpUnknown(world());
    },
  );

  it('is none without a subscription, with one of another type, of another environment, or that is inactive', async () => {
    await subscribe(
      world(),
      me.principal,
      publicEventTypes.filter((type) => type !== 'message.sent'),
    );
    await subscribe(world(), { ...me.principal, environment: 'preview' });
    await subscribe(world(), await connected(world()));
    await world().rows(
      `insert into event_subscriptions
       select organization_id, environment, gen_random_uuid(), gen_random_uuid(), destination_id,
         array['message.sent'], null, false, created_by, created_at, updated_at
       from event_subscriptions
       where organization_id = $1 and environment = 'production'`,
      [me.principal.organization_id],
    );
    await send(world(), me.principal, { channel_id: me.channel });
    for (const environment of ['production', 'preview'] as const)
      expect(await eventsOf(world(), { ...me.principal, environment })).toEqual([]);
  });

  it('goes to each destination once, however many subscriptions name it', async () => {
    const one = await subscribe(world(), me.principal, ['message.sent', 'message.failed']);
    await world().rows(
      `insert into event_subscriptions
       select organization_id, environment, gen_random_uuid(), gen_random_uuid(), destination_id, types, null, true,
         created_by, created_at, updated_at
       from event_subscriptions
       where id = $1`,
      [one.id],
    );
    const other = await subscribe(world(), me.principal, ['message.sent']);
    await send(world(), me.principal, { channel_id: me.channel });
    const [event] = await eventsOf(world(), me.principal);
    for (const { destination_id } of [one, other])
      expect(await deliveriesOf(world(), me.principal, destination_id)).toMatchObject([
        { origin: 'event', origin_id: event?.id, status: 'waiting' },
      ]);
  });

  it('is decided also while the destination of a subscription is being deleted', async () => {
    const { destination_id } = await subscribe(world(), me.principal, ['message.sent']);
    const locked = Promise.withResolvers<void>();
    const mayEnd = Promise.withResolvers<void>();
    const deletion = world().realDatabase.transaction(async (tx) => {
      const gone = (name: string, text: string) => tx.query({ name, text }, [destination_id]);
      await gone('test-gone-1', 'delete from event_subscriptions where destination_id = $1');
      await gone('test-gone-2', 'delete from destinations where id = $1');
      locked.resolve();
      await mayEnd.promise;
    });
    await locked.promise;
    const sending = send(world(), me.principal, { channel_id: me.channel });
    await world()
      .posts('')
      .then(() => mayEnd.resolve());
    await deletion;
    expect(await sending).toMatchObject({ success: true });
    expect(await only()).toMatchObject({ status: 'sent', charged: true });
  });

  it('fails its caller as before', async () => {
    await subscribe(world(), me.principal);
    await world().misbehave({ method, channel: me.channel, mode: 'error', value: 'is_archived' });
    expect(await refusalOf(send(world(), me.principal, { channel_id: me.channel }))).toMatchObject({
      code: 'invalid_destination',
    });
  });
});
