import { beforeEach, describe, expect, it } from '@jest/globals';
import { CodedError, getBatchContent, type InputOf, reserveTogether } from '@stanza/contracts';
import { dueNow } from '@stanza/runtime/testing/due-now';
import { runJob } from '@stanza/test-kit/service-world';
import { sharedByTests } from '@stanza/test-kit/shared';
import { waitFor } from '@stanza/test-kit/wait';
import { v7 as uuidv7 } from 'uuid';
import { deliverBatch } from '../operations/deliver-batch.ts';
import { lookUpUnknown } from '../testing/lookups.ts';
import { twoEvents } from '../testing/services.ts';
import {
  limitRate,
  loseOutcome,
  newSender,
  openWorld,
  rowsOf,
  type Sender,
  settlementsOf,
} from '../testing/world.ts';
import { createDeferredSender } from './jobs/deferred-sends.ts';
import { orderBatch } from './origins/batch.ts';

describe('the message of a live batch', () => {
  const world = sharedByTests(openWorld);
  let me: Sender;
  let batchId: string;

  beforeEach(async () => {
    me = await newSender(world());
    batchId = uuidv7();
    world().others.answers.failing.clear();
  });

  const answers = () => world().others.answers;
  const says = (text: string) => {
    const blocks = [{ type: 'section', text: { type: 'mrkdwn', text } }];
    answers().rendered = { ...answers().rendered, text, blocks };
  };
  const handOver = async (text: string, facts: { closed: boolean; live?: boolean | undefined }) => {
    says(text);
    const content = twoEvents(me.channel);
    const { opened_at } = content.batch;
    const open = { id: batchId, opened_at, closed_at: null, close_reason: null };
    const batch = facts.closed ? { ...content.batch, id: batchId } : open;
    answers().batches.set(batchId, { ...content, batch, live: 'live' in facts ? facts.live : true });
    const { organization_id, environment } = me.principal;
    const operation_id = uuidv7();
    const work = { organization_id, environment, queue_id: uuidv7(), batch_id: batchId, operation_id };
    for (const _ of [1, 2]) await runJob(deliverBatch(world()), work);
    return operation_id;
  };
  const sendDue = async (): Promise<void> => {
    const sender = createDeferredSender(world(), {
      batch: orderBatch(world()),
      schedule: () => Promise.resolve(undefined),
    });
    await sender.begin();
    await sender.settled();
  };
  const show = async (text: string) => {
    const operationId = await handOver(text, { closed: false });
    await sendDue();
    return operationId;
  };
  const close = async (text: string, live: boolean | undefined = true) => {
    const operationId = await handOver(text, { closed: true, live });
    await sendDue();
    return operationId;
  };
  /** Does something while the queue says of some contents that the batch has closed. */
  const collectsNoMore = async (
    isAsked: (input: InputOf<typeof getBatchContent>) => boolean,
    act: () => Promise<void>,
    until: () => Promise<unknown> = async () => undefined,
  ) => {
    const { others } = world();
    const call = others.call.bind(others);
    others.call = async (operation, input, context) => {
      if (operation.id !== getBatchContent.id || !isAsked(getBatchContent.input.parse(input))) {
        return call(operation, input, context);
      }
      await until();
      throw new CodedError('not_found');
    };
    try {
      await act();
    } finally {
      others.call = call;
    }
  };
  const reportOf = async (operationId: string) => {
    const rows = await world().rows<{ payload: { status: string; message_id?: string; error?: string } }>(
      `select payload
       from outbox
       where subject = 'work.queue-ingest.report-batch' and payload ->> 'operation_id' = $1
       order by id`,
      [operationId],
    );
    return rows.map((it) => it.payload);
  };
  const shownIn = async (): Promise<string[]> =>
    (await world().postsIn(me.channel)).map((it) => JSON.stringify(it.blocks)).reverse();
  const charges = async (): Promise<boolean[]> =>
    (await settlementsOf(world(), me.principal)).flatMap(({ items }) => items.map((it) => it.charged));

  it('is posted, updated for nothing, and closed as the same one, for two credits', async () => {
    const post = await show('one event');
    const update = await show('two events');
    const closing = await close('closed');
    expect(await shownIn()).toEqual([expect.stringContaining('closed')]);
    expect(await charges()).toEqual([true, false, true]);
    const [message] = await rowsOf(world(), me.principal);
    for (const operationId of [post, update, closing]) {
      expect(await reportOf(operationId)).toMatchObject([{ status: 'delivered', message_id: message?.id }]);
    }
    const compiled = world()
      .others.calls.filter(({ operation }) => operation === 'render-template')
      .slice(-3);
    expect(compiled.map(({ input }) => input)).toMatchObject([
      { data: { closed: false, event_count: 2 } },
      { data: { closed: false } },
      { data: { closed: true, events: [{ service: 'api' }, { service: 'web' }] } },
    ]);
  });

  it('is posted at its closing, once, where its first post failed', async () => {
    answers().failing.set(reserveTogether.id, new CodedError('insufficient_credits'));
    expect(await reportOf(await show('one event'))).toMatchObject([{ status: 'failed' }]);
    answers().failing.clear();
    expect(await reportOf(await close('closed'))).toMatchObject([{ status: 'delivered' }]);
    expect(await shownIn()).toEqual([expect.stringContaining('closed')]);
    expect(await charges()).toEqual([true]);
  });

  it('is posted by the closing, once, where its first post still waited for the platform', async () => {
    await limitRate(world(), me.channel, 30);
    const post = await show('one event');
    expect(await rowsOf(world(), me.principal)).toMatchObject([{ status: 'accepted' }]);
    world().clock.jump(31_000);
    const closing = await handOver('closed', { closed: true });
    const isBehind = () =>
      waitFor('the closing to stand behind the post', async () =>
        (await rowsOf(world(), me.principal)).some(({ revises }) => revises !== null),
      );
    await collectsNoMore(({ operation_id }) => operation_id === post, sendDue, isBehind);
    expect(await reportOf(post)).toMatchObject([{ status: 'failed', error: 'not_found' }]);
    world().clock.jump(31_000);
    await sendDue();
    expect(await reportOf(closing)).toMatchObject([{ status: 'delivered' }]);
    expect(await shownIn()).toEqual([expect.stringContaining('closed')]);
    expect(await charges()).toEqual([false, true]);
  });

  it('waits at its closing for the lookup of a post with a lost answer, and is updated once that is found', async () => {
    await loseOutcome(world(), me.channel, 'reset_after', 1);
    expect(await reportOf(await show('one event'))).toMatchObject([{ status: 'unknown' }]);
    const closing = await close('closed');
    expect(await reportOf(closing)).toEqual([]);
    world().clock.jump(11_000);
    await lookUpUnknown(world());
    await sendDue();
    expect(await reportOf(closing)).toMatchObject([{ status: 'delivered' }]);
    expect(await shownIn()).toEqual([expect.stringContaining('closed')]);
    expect(await charges()).toEqual([false, true]);
  });

  it('shows what the closing made of it, though an update is late', async () => {
    await show('one event');
    const closing = await close('closed');
    const late = await handOver('late', { closed: false });
    const key = `batch:${batchId}`;
    const isFree = () =>
      world().rows('select from message_keys where message_key = $1 for update nowait', [key]);
    await collectsNoMore(({ without_events }) => without_events === true, sendDue, isFree);
    expect(await reportOf(late)).toMatchObject([{ status: 'failed', error: 'not_found' }]);
    expect(await reportOf(closing)).toMatchObject([{ status: 'delivered' }]);
    expect(await shownIn()).toEqual([expect.stringContaining('closed')]);
    expect(await charges()).toEqual([true, true, false]);
  });

  it('is closed as the same one too where a queue service of the previous version closed it', async () => {
    await show('one event');
    await close('closed', undefined);
    expect(await shownIn()).toEqual([expect.stringContaining('closed')]);
  });

  it('is named to its queue also where the update that closes it is not found', async () => {
    await show('one event');
    const [message] = await rowsOf(world(), me.principal);
    const lost = { method: 'chat.update', mode: 'reset_before', channel: me.channel, times: 6 };
    await world().misbehave(lost);
    const closing = await close('closed');
    await world().rows(
      `update messages
       set posting_at = posting_at - interval '11 minutes', lookup_due_at = ${dueNow}
       where operation_id = $1 and status = 'unknown'`,
      [closing],
    );
    await lookUpUnknown(world());
    const unknown = { status: 'unknown', message_id: message?.id };
    expect(await reportOf(closing)).toMatchObject([unknown, { ...unknown, not_found: true }]);
  });

  it('is posted anew where somebody has deleted it at the platform', async () => {
    await show('one event');
    await world().misbehave({
      method: 'chat.update',
      mode: 'error',
      value: 'message_not_found',
      channel: me.channel,
      times: 1,
    });
    const closing = await close('closed');
    expect(await reportOf(closing)).toEqual([]);
    world().clock.jump(11_000);
    await sendDue();
    expect(await reportOf(closing)).toMatchObject([{ status: 'delivered' }]);
    expect(await shownIn()).toEqual([
      expect.stringContaining('one event'),
      expect.stringContaining('closed'),
    ]);
    expect(await charges()).toEqual([true, true]);
  });
});
