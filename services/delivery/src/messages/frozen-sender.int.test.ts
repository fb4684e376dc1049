import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { CodedError, renderTemplate } from '@stanza/contracts';
import { runJob } from '@stanza/test-kit/service-world';
import { sharedByTests } from '@stanza/test-kit/shared';
import { v7 as uuidv7 } from 'uuid';
import type { Dependencies } from '../dependencies.ts';
import { deliverBatch } from '../operations/deliver-batch.ts';
import { twoEvents } from '../testing/services.ts';
import {
  anotherProcess,
  connected,
  newChannel,
  newSender,
  openWorld,
  rowsOf,
  type Sender,
  settlementsOf,
  type World,
} from '../testing/world.ts';
import { endAbandonedMessages } from './jobs/abandoned-messages.ts';
import { createDeferredSender } from './jobs/deferred-sends.ts';
import { orderBatch } from './origins/batch.ts';

/** Longer than the lease of a deferred send. */
const longerThanLeaseMs = 31_000;

/** A moment at which a process stands still until the test lets it go on. */
const freeze = () => {
  const { promise: reached, resolve: arrive } = Promise.withResolvers<void>();
  const { promise: released, resolve: resume } = Promise.withResolvers<void>();
  const stand = async (): Promise<void> => {
    arrive();
    await released;
  };
  return { reached, stand, resume };
};

/** Sends what is due, as a replica does. */
const sendDue = async (dependencies: Dependencies): Promise<void> => {
  const sender = createDeferredSender(dependencies, {
    batch: orderBatch(dependencies),
    schedule: () => Promise.resolve(undefined),
  });
  await sender.begin();
  await sender.settled();
};

describe('a digest whose sender is frozen beyond its lease', () => {
  const world = sharedByTests(openWorld);
  let me: Sender;
  let operationId: string;
  const opened: ReturnType<typeof anotherProcess>[] = [];
  const spies: { mockRestore: () => void }[] = [];

  beforeEach(async () => {
    me = await newSender(world());
    const { organization_id, environment } = me.principal;
    const batch_id = uuidv7();
    operationId = uuidv7();
    world().others.answers.batches.set(batch_id, twoEvents(me.channel));
    const work = { organization_id, environment, queue_id: uuidv7(), batch_id, operation_id: operationId };
    await runJob(deliverBatch(world()), work);
  });
  afterEach(async () => {
    for (const spy of spies.splice(0)) spy.mockRestore();
    await world().rows(
      "update deferred_sends set status = 'ended', ended_at = now() where status = 'waiting'",
    );
    await Promise.all(opened.splice(0).map((process) => process.chat.close()));
  });

  /** A process of the service that has lived as long as the world. */
  const replica = () => {
    const process = anotherProcess(world());
    process.clock.jump(world().clock.ahead);
    process.others.answers.batches = world().others.answers.batches;
    opened.push(process);
    return process;
  };

  /** This many milliseconds pass for these processes. */
  const pass = (milliseconds: number, ...processes: Pick<World, 'clock'>[]): void => {
    for (const { clock } of processes) clock.jump(milliseconds);
  };

  /** Freezes a process between the acceptance of its message and the post. */
  const freezeBeforePost = (process: Dependencies) => {
    const { channelOf } = process.recipients;
    const frozen = freeze();
    jest.spyOn(process.recipients, 'channelOf').mockImplementationOnce(async (...args) => {
      await frozen.stand();
      return channelOf.apply(process.recipients, args);
    });
    return frozen;
  };

  /** Freezes a process after the platform took its post. */
  const freezeAfterPost = (process: Dependencies) => {
    const { call } = process.chat;
    const frozen = freeze();
    jest.spyOn(process.chat, 'call').mockImplementation(async (asked) => {
      const answer = await call(asked);
      if (asked.method === 'chat.postMessage') await frozen.stand();
      return answer;
    });
    return frozen;
  };

  it('is posted once, though the first sender resumes while the second one posts', async () => {
    const [first, second, third] = [replica(), replica(), replica()];
    const accepted = freezeBeforePost(first);
    const sendingFirst = sendDue(first);
    await accepted.reached;
    pass(longerThanLeaseMs, first, second, third, world());
    const posted = freezeAfterPost(second);
    const sendingSecond = sendDue(second);
    await posted.reached;
    accepted.resume();
    await sendingFirst;
    pass(6_000, second, third, world());
    await sendDue(third);
    posted.resume();
    await sendingSecond;
    expect(await world().postsIn(me.channel)).toHaveLength(1);
    expect(await rowsOf(world(), me.principal)).toMatchObject([{ status: 'sent', charged: true }]);
    expect(await settlementsOf(world(), me.principal)).toMatchObject([{ items: [{ charged: true }] }]);
  });

  it('is not ended by the first sender for a reason of its own', async () => {
    const [first, second] = [replica(), replica()];
    const frozen = freeze();
    jest.spyOn(first.recipients, 'channelOf').mockImplementationOnce(async () => {
      await frozen.stand();
      throw new CodedError('invalid_destination');
    });
    const sendingFirst = sendDue(first);
    await frozen.reached;
    pass(longerThanLeaseMs, first, second, world());
    const posted = freezeAfterPost(second);
    const sendingSecond = sendDue(second);
    await posted.reached;
    frozen.resume();
    await sendingFirst;
    posted.resume();
    await sendingSecond;
    expect(await world().postsIn(me.channel)).toHaveLength(1);
    expect(await rowsOf(world(), me.principal)).toMatchObject([{ status: 'sent', charged: true }]);
  });

  it('is not accepted by the first sender after the second one has ended it', async () => {
    const [first, second] = [replica(), replica()];
    const frozen = freeze();
    const { call } = first.rpc;
    jest.spyOn(first.rpc, 'call').mockImplementation(async (operation, input, context) => {
      const answer = await call.call(first.rpc, operation, input, context);
      if (operation.id === renderTemplate.id) await frozen.stand();
      return answer;
    });
    const sendingFirst = sendDue(first);
    await frozen.reached;
    pass(longerThanLeaseMs, first, second, world());
    second.others.answers.failing.set(renderTemplate.id, new CodedError('template_not_found'));
    await sendDue(second);
    // The process was frozen, its clock was not: its deadline is that of a process which has just begun.
    pass(-longerThanLeaseMs, first);
    frozen.resume();
    await sendingFirst;
    expect(await world().postsIn(me.channel)).toEqual([]);
    expect(await rowsOf(world(), me.principal)).toEqual([]);
  });

  it('is posted once while a process of the previous version, which knows no fence, takes it over', async () => {
    const [first, second] = [replica(), replica()];
    const frozen = freeze();
    jest.spyOn(first.recipients, 'channelOf').mockImplementationOnce(async () => {
      await frozen.stand();
      throw new CodedError('service_unavailable');
    });
    const sendingFirst = sendDue(first);
    await frozen.reached;
    pass(longerThanLeaseMs, first, second, world());
    // What the previous version writes when it takes the message over, and posts it.
    await world().rows(
      "update deferred_sends set due_at = clock_timestamp() + interval '30 seconds', tries = tries + 1 where operation_id = $1",
      [operationId],
    );
    const takenOver = (set: string) =>
      world().rows(`update messages set ${set}, updated_at = clock_timestamp() where operation_id = $1`, [
        operationId,
      ]);
    await takenOver("deadline_at = clock_timestamp() + interval '20 seconds'");
    await takenOver("status = 'posting', channel = 'C1', posting_at = clock_timestamp()");
    frozen.resume();
    await sendingFirst;
    expect(await rowsOf(world(), me.principal)).toMatchObject([{ status: 'posting' }]);
    pass(6_000, second, world());
    await sendDue(second);
    expect(await rowsOf(world(), me.principal)).toMatchObject([{ status: 'posting' }]);
    expect(await world().postsIn(me.channel)).toEqual([]);
  });

  it('stays with a sender of the previous version that resumes and posts it', async () => {
    const second = replica();
    const accepting = freezeBeforePost(second);
    // The previous version has accepted the message, without a fence, and is frozen.
    const before = replica();
    const frozen = freezeBeforePost(before);
    const sendingBefore = sendDue(before);
    await frozen.reached;
    await world().rows('update messages set fence = 0 where operation_id = $1', [operationId]);
    pass(longerThanLeaseMs, before, second, world());
    const sendingSecond = sendDue(second);
    await accepting.reached;
    await world().rows(
      "update messages set status = 'posting', channel = 'C1', posting_at = clock_timestamp() where operation_id = $1 and status = 'accepted'",
      [operationId],
    );
    accepting.resume();
    await sendingSecond;
    expect(await rowsOf(world(), me.principal)).toMatchObject([{ status: 'posting' }]);
    frozen.resume();
    await sendingBefore;
    expect(await world().postsIn(me.channel)).toEqual([]);
  });

  it('has a lease as long as the database says, whatever the clock of its sender', async () => {
    const [slow, other] = [replica(), replica()];
    slow.clock.skew(-60_000);
    const accepted = freezeBeforePost(slow);
    const sending = sendDue(slow);
    await accepted.reached;
    const [lease] = await world().rows<{ seconds: number }>(
      'select extract(epoch from due_at - clock_timestamp())::float8 as seconds from deferred_sends where operation_id = $1',
      [operationId],
    );
    expect(lease?.seconds).toBeGreaterThan(0);
    await sendDue(other);
    accepted.resume();
    await sending;
    expect(await world().postsIn(me.channel)).toHaveLength(1);
  });
});

describe('a digest that is accepted and fails in the same try', () => {
  const world = sharedByTests(openWorld);

  it('ends with its message, and releases its reservation', async () => {
    const principal = await connected(world());
    const { organization_id, environment } = principal;
    const channel = newChannel();
    const batch_id = uuidv7();
    world().others.answers.batches.set(batch_id, twoEvents(channel));
    const work = { organization_id, environment, queue_id: uuidv7(), batch_id, operation_id: uuidv7() };
    await runJob(deliverBatch(world()), work);
    await world().rows(
      "update deferred_sends set give_up_at = now() - interval '1 second' where operation_id = $1",
      [work.operation_id],
    );
    // The message is accepted, and the answer of the database is lost.
    const transaction = world().database.transaction.bind(world().database);
    const lost: typeof transaction = async (run, options) => {
      const done = await transaction(run, options);
      const accepted = await rowsOf(world(), principal);
      if (accepted.some((row) => row.status === 'accepted')) throw new CodedError('service_unavailable');
      return done;
    };
    const spy = jest.spyOn(world().database, 'transaction').mockImplementation(lost);
    await sendDue(world());
    spy.mockRestore();
    expect(await rowsOf(world(), principal)).toMatchObject([{ status: 'failed', charged: false }]);
    expect(await world().postsIn(channel)).toEqual([]);
    expect(await settlementsOf(world(), principal)).toMatchObject([{ items: [{ charged: false }] }]);
  });

  it('is ended by the sweep where an earlier version has left it accepted', async () => {
    const principal = await connected(world());
    const { organization_id, environment } = principal;
    const batch_id = uuidv7();
    const channel = newChannel();
    world().others.answers.batches.set(batch_id, twoEvents(channel));
    const work = { organization_id, environment, queue_id: uuidv7(), batch_id, operation_id: uuidv7() };
    await runJob(deliverBatch(world()), work);
    await world().misbehave({
      method: 'chat.postMessage',
      channel,
      mode: 'rate_limited',
      value: 30,
      times: 1,
    });
    await sendDue(world());
    expect(await rowsOf(world(), principal)).toMatchObject([{ status: 'accepted' }]);
    world().clock.jump(60_000);
    await endAbandonedMessages(world());
    expect(await rowsOf(world(), principal)).toMatchObject([{ status: 'accepted' }]);
    // Further looks do not walk over it.
    const state = 'select due_at > clock_timestamp() as later from message_states where organization_id = $1';
    expect(await world().rows(state, [principal.organization_id])).toEqual([{ later: true }]);
    await world().rows(
      "update deferred_sends set status = 'ended', ended_at = now() where operation_id = $1",
      [work.operation_id],
    );
    // A message that was left alone is looked at again after little more than a minute.
    world().clock.jump(66_000);
    await endAbandonedMessages(world());
    expect(await rowsOf(world(), principal)).toMatchObject([{ status: 'failed', charged: false }]);
    expect(await settlementsOf(world(), principal)).toMatchObject([{ items: [{ charged: false }] }]);
  });
});
