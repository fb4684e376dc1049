import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  CodedError,
  getBatchContent,
  metricCatalogue,
  renderTemplate,
  reserveTogether,
} from '@stanza/contracts';
import { type Database, encryptionKeys, Tenant } from '@stanza/runtime';
import { dueNow } from '@stanza/runtime/testing/due-now';
import { runJob } from '@stanza/test-kit/service-world';
import { sharedByTests } from '@stanza/test-kit/shared';
import { v7 as uuidv7 } from 'uuid';
import { deleteConnection } from '../connections/store/connections.ts';
import type { Dependencies } from '../dependencies.ts';
import { measureWaiting } from '../jobs/measure-waiting.ts';
import { deliverBatch } from '../operations/deliver-batch.ts';
import { reportReservations } from '../operations/report-reservations.ts';
import { twoEvents } from '../testing/services.ts';
import {
  anotherProcess,
  ask,
  limitRate,
  loseOutcome,
  newSender,
  openWorld,
  rowsOf,
  type Sender,
} from '../testing/world.ts';
import { maxAttempts } from './attempts.ts';
import { endAbandonedMessages } from './jobs/abandoned-messages.ts';
import { createDeferredSender } from './jobs/deferred-sends.ts';
import { orderBatch } from './origins/batch.ts';

interface Report {
  batch_id: string;
  operation_id: string;
  status: string;
  error?: string;
  message_id?: string;
  credit_log_id?: string;
}

/** A database that is away when a statement is run in a transaction for the first time. */
const awayOnce = (database: Database, name: string): Database => {
  let isAway = true;
  return {
    orm: database.orm,
    query: (asked, values) => database.query(asked, values),
    close: () => database.close(),
    transaction: (work, options) =>
      database.transaction(
        (tx) =>
          work({
            orm: tx.orm,
            afterCommit: (run) => tx.afterCommit(run),
            query: (asked, values) => {
              if (!isAway || asked.name !== name) return tx.query(asked, values);
              isAway = false;
              return Promise.reject(new CodedError('service_unavailable', { nothing_done: true }));
            },
          }),
        options,
      ),
  };
};

describe('the digest of a batch', () => {
  const world = sharedByTests(openWorld);
  let me: Sender;

  beforeEach(async () => {
    me = await newSender(world());
    world().others.answers.failing.clear();
    world().others.answers.organization = { status: 'active' };
    delete world().others.answers.rendered.left_out;
  });

  /** Hands a batch over, as its queue does, once or more often. */
  const hand = async (times = 1) => {
    const { organization_id, environment } = me.principal;
    const work = {
      organization_id,
      environment,
      queue_id: uuidv7(),
      batch_id: uuidv7(),
      operation_id: uuidv7(),
    };
    world().others.answers.batches.set(work.batch_id, twoEvents(me.channel));
    for (let time = 1; time <= times; time += 1) {
      await runJob(deliverBatch(world()), work);
    }
    return work;
  };

  /** Sends what is due, as a replica does. */
  const sendDue = async (dependencies: Dependencies = world()): Promise<void> => {
    const sender = createDeferredSender(dependencies, {
      batch: orderBatch(dependencies),
      schedule: () => Promise.resolve(undefined),
    });
    await sender.begin();
    await sender.settled();
  };

  const reports = async ({ batch_id }: { batch_id: string }): Promise<Report[]> => {
    const rows = await world().rows<{ payload: Report }>(
      "select payload from outbox where subject = 'work.queue-ingest.report-batch' and payload ->> 'batch_id' = $1 order by id",
      [batch_id],
    );
    return rows.map((it) => it.payload);
  };
  /** What the queue is told of what its digest leaves out. */
  const told = async ({ batch_id }: { batch_id: string }): Promise<unknown[]> => {
    const rows = await world().rows<{ payload: unknown }>(
      "select payload from outbox where subject = 'work.queue-ingest.note-left-out' and payload ->> 'batch_id' = $1 order by id",
      [batch_id],
    );
    return rows.map((it) => it.payload);
  };
  const waitingOf = (operationId: string) =>
    world().rows<{ status: string; tries: number; error: string | null }>(
      'select status, tries, error from deferred_sends where operation_id = $1',
      [operationId],
    );

  it('mentions people by e-mail, looked up before it is posted', async () => {
    const { answers } = world().others;
    answers.mentions = ['ada@example.com'];
    const work = await hand();
    await sendDue();
    answers.mentions = [];
    expect(await reports(work)).toMatchObject([{ status: 'delivered' }]);
    const rendered = world().others.calls.filter((call) => call.operation === renderTemplate.id);
    expect(rendered.at(-1)?.input).toMatchObject({
      live_at: answers.batches.get(work.batch_id)?.live_at,
      people: { 'ada@example.com': 'U0ADA' },
    });
  });

  it('waits for the platform where a lookup of its recipient meets an outage, and is posted afterwards', async () => {
    const work = await hand();
    const person = { channel_id: null, recipient_chat_id: 'U0GRACE' };
    world().others.answers.batches.set(work.batch_id, { ...twoEvents(me.channel), ...person });
    await world().misbehave({ method: 'conversations.open', mode: 'status', value: 503, times: 6 });
    await sendDue();
    expect(await reports(work)).toEqual([]);
    expect(await waitingOf(work.operation_id)).toMatchObject([{ status: 'waiting', tries: 1 }]);
    world().clock.jump(20_000);
    await sendDue();
    expect(await reports(work)).toMatchObject([{ status: 'delivered' }]);
  });

  it('A digest waits where a process lacks the key of its token, and another one posts it', async () => {
    const batch = await hand();
    const keyring = encryptionKeys.parse(`k3:${Buffer.alloc(32, 3).toString('base64')}`);
    await sendDue({ ...world(), keyring });
    const waiting = { status: 'waiting', tries: 1, error: 'chat_token_decrypt_failed' };
    expect(await waitingOf(batch.operation_id)).toMatchObject([waiting]);
    world().clock.jump(20_000);
    await sendDue();
    expect(await reports(batch)).toMatchObject([{ status: 'delivered' }]);
  });

  it('is posted once, made of its events by the version that was live at the closing, and reported', async () => {
    const work = await hand(2);
    await Promise.all([sendDue(), sendDue()]);
    await sendDue();
    const posts = await world().postsIn(me.channel);
    expect(posts).toHaveLength(1);
    const [row] = await rowsOf(world(), me.principal);
    expect(row).toMatchObject({ status: 'sent', origin: 'batch', origin_id: work.batch_id, charged: true });
    expect(await reports(work)).toMatchObject([
      { ...report(work), status: 'delivered', message_id: row?.id, credit_log_id: row?.credit_log_id },
    ]);
    const rendered = world().others.calls.findLast((call) => call.operation === renderTemplate.id);
    const content = world().others.answers.batches.get(work.batch_id);
    expect(rendered?.input).toMatchObject({
      template_id: content?.template_id,
      live_at: content?.live_at,
      data: {
        queue: content?.queue,
        batch: content?.batch,
        events: content?.events,
        event_count: 2,
        first: { service: 'api' },
        last: { service: 'web' },
      },
    });
  });

  const report = ({ batch_id, operation_id }: { batch_id: string; operation_id: string }) => ({
    batch_id,
    operation_id,
  });

  const leftOut = {
    count: 1,
    entries: [{ pointer: '/blocks/0', path: 'events[1]', message: 'the entry of `events[1]` is left out' }],
  };

  it('leaves out what its events do not fit, and tells its queue what, once', async () => {
    world().others.answers.rendered.left_out = leftOut;
    const work = await hand(2);
    await Promise.all([sendDue(), sendDue()]);
    await sendDue();
    expect(await reports(work)).toMatchObject([{ status: 'delivered' }]);
    const rendered = world().others.calls.findLast((call) => call.operation === renderTemplate.id);
    expect(rendered?.input).toMatchObject({ digest: true });
    expect(await told(work)).toEqual([
      {
        organization_id: me.principal.organization_id,
        environment: me.principal.environment,
        batch_id: work.batch_id,
        operation_id: work.operation_id,
        left_out: leftOut,
      },
    ]);
  });

  it('tells its queue nothing where nothing is left out', async () => {
    const work = await hand();
    await sendDue();
    expect(await told(work)).toEqual([]);
  });

  it('fails where nothing is left to send, and says what was left out', async () => {
    const { rendered } = world().others.answers;
    world().others.answers.rendered = { ...rendered, blocks: [], left_out: leftOut };
    const work = await hand();
    await sendDue();
    world().others.answers.rendered = rendered;
    expect(await reports(work)).toMatchObject([
      {
        status: 'failed',
        error: 'no_blocks_to_send',
        error_details: expect.stringContaining('the entry of `events[1]` is left out'),
      },
    ]);
  });

  it('fails without a chat connection, and its events are not compiled', async () => {
    await deleteConnection(Tenant.of(me.principal), world().database);
    const compiled = world().others.count(renderTemplate);
    const work = await hand();
    await sendDue();
    expect(await reports(work)).toMatchObject([{ status: 'failed', error: 'chat_not_connected' }]);
    expect(world().others.count(renderTemplate)).toBe(compiled);
  });

  it('fails while its organization is suspended: nothing is reserved, nothing is posted', async () => {
    world().others.answers.organization = { status: 'suspended' };
    const work = await hand();
    await sendDue();
    expect(await world().postsIn(me.channel)).toEqual([]);
    expect(await reports(work)).toMatchObject([
      { ...report(work), status: 'failed', error: 'access_denied' },
    ]);
  });

  it.each([
    ['no credits', reserveTogether.id, 'insufficient_credits'],
    ['a template that is gone', renderTemplate.id, 'template_not_found'],
  ] as const)('fails for good with %s, and nothing is posted', async (_, operation, code) => {
    world().others.answers.failing.set(operation, new CodedError(code));
    const work = await hand();
    await sendDue();
    expect(await reports(work)).toMatchObject([{ ...report(work), status: 'failed', error: code }]);
    expect(await world().postsIn(me.channel)).toEqual([]);
    expect(await waitingOf(work.operation_id)).toMatchObject([{ status: 'ended' }]);
  });

  it('is tried again while another service is away, without a report', async () => {
    world().others.answers.failing.set(getBatchContent.id, new CodedError('service_unavailable'));
    const work = await hand();
    await sendDue();
    expect(await reports(work)).toEqual([]);
    expect(await waitingOf(work.operation_id)).toMatchObject([
      { status: 'waiting', tries: 1, error: 'service_unavailable' },
    ]);
    world().others.answers.failing.clear();
    world().clock.jump(11_000);
    await sendDue();
    expect(await reports(work)).toMatchObject([{ status: 'delivered' }]);
  });

  it('a digest outlives an unexpected error after an outage of many tries, but no second one in a row', async () => {
    const { failing } = world().others.answers;
    const work = await hand();
    const tryWith = async (error: Error): Promise<void> => {
      failing.set(getBatchContent.id, error);
      await sendDue();
      world().clock.jump(15_000);
    };
    for (let tried = 0; tried < 12; tried += 1) await tryWith(new CodedError('service_unavailable'));
    await tryWith(new Error('a bug'));
    expect(await waitingOf(work.operation_id)).toMatchObject([
      { status: 'waiting', tries: 13, error: 'internal_error' },
    ]);
    await tryWith(new Error('a bug'));
    expect(await reports(work)).toMatchObject([{ status: 'failed', error: 'internal_error' }]);
  });

  it('a digest is tried ten times when each try ends in an unexpected error', async () => {
    world().others.answers.failing.set(getBatchContent.id, new Error('a bug'));
    const work = await hand();
    for (let tried = 0; tried < 9; tried += 1) {
      await sendDue();
      world().clock.jump(15_000);
    }
    expect(await waitingOf(work.operation_id)).toMatchObject([{ status: 'waiting', tries: 9 }]);
    await sendDue();
    expect(await reports(work)).toMatchObject([{ status: 'failed', error: 'internal_error' }]);
  });

  it('is accepted as before after the platform said 429, and keeps its credit set aside', async () => {
    await limitRate(world(), me.channel, 30);
    const work = await hand();
    await sendDue();
    expect(await rowsOf(world(), me.principal)).toMatchObject([{ status: 'accepted', charged: null }]);
    const { organization_id, environment } = me.principal;
    const asked = { organization_id, environment, operation_id: work.operation_id, amount: 1 };
    const { reports: known } = await ask(reportReservations(world()), { reservations: [asked] });
    expect(known).toMatchObject([{ open: true }]);
    expect(await reports(work)).toEqual([]);
  });

  it('A digest is not compiled again while its channel takes no message, and is posted afterwards', async () => {
    await limitRate(world(), me.channel, 30);
    const accepted = await hand();
    await sendDue();
    const compiled = world().others.count(renderTemplate);
    const other = await hand();
    await world().rows(`update deferred_sends set due_at = ${dueNow} where status = 'waiting' returning 1`);
    await sendDue();
    expect(world().others.count(renderTemplate)).toBe(compiled);
    expect(await waitingOf(accepted.operation_id)).toMatchObject([{ tries: 2, error: 'rate_limited' }]);
    expect(await waitingOf(other.operation_id)).toMatchObject([{ tries: 1, error: 'rate_limited' }]);
    world().clock.jump(40_000);
    await sendDue();
    for (const work of [accepted, other])
      expect(await reports(work)).toMatchObject([{ status: 'delivered' }]);
  });

  it('is accepted as before also when the database is away after the platform said 429', async () => {
    await limitRate(world(), me.channel, 30);
    const work = await hand();
    await sendDue({ ...world(), database: awayOnce(world().database, 'deferred-postpone') });
    expect(await rowsOf(world(), me.principal)).toMatchObject([{ status: 'accepted', attempts: [{}] }]);
    expect(await waitingOf(work.operation_id)).toMatchObject([{ status: 'waiting', error: 'rate_limited' }]);
  });

  /** Calls to the platform that a long outage left behind. */
  const seedAttempts = (count: number) => {
    const attempt = {
      method: 'chat.postMessage',
      outcome: 'econnrefused',
      latency_ms: 1,
      started_at: 'then',
    };
    return world().rows(
      `update messages
       set attempts = (select json_agg($2::json) from generate_series(1, $3::int))
       where organization_id = $1
       returning 1`,
      [me.principal.organization_id, JSON.stringify(attempt), count],
    );
  };

  it('keeps the latest calls to the platform and those of its last try, however long it was away', async () => {
    await limitRate(world(), me.channel, 30);
    await hand();
    await sendDue();
    await seedAttempts(5_000);
    world().clock.jump(31_000);
    await sendDue();
    const [row] = await rowsOf(world(), me.principal);
    expect(row).toMatchObject({ status: 'sent' });
    expect(row?.attempts).toHaveLength(maxAttempts + 1);
  });

  it('is aged by the clock of the database, not by that of the process', async () => {
    await hand();
    const ages = async (skew: number) => {
      world().clock.skew(skew);
      await measureWaiting(world())();
      const { values } = await world().metrics.gauge(metricCatalogue.delivery.deferredOldest).get();
      return values[0]?.value ?? -1;
    };
    try {
      // An hour is far more than a test takes.
      expect(Math.abs((await ages(3_600_000)) - (await ages(-3_600_000)))).toBeLessThan(3_600);
    } finally {
      world().clock.skew(0);
    }
  });

  it('is retried after transient errors for no longer than a day', async () => {
    world().others.answers.failing.set(renderTemplate.id, new CodedError('service_unavailable'));
    const work = await hand();
    const later = anotherProcess(world());
    later.others.answers.batches = world().others.answers.batches;
    later.others.answers.failing.set(renderTemplate.id, new CodedError('service_unavailable'));
    later.clock.jump(25 * 3_600_000);
    await sendDue(later);
    expect(await reports(work)).toMatchObject([{ status: 'failed', error: 'service_unavailable' }]);
    await later.chat.close();
  });

  it('is kept for no longer than a day either where the platform still asks to wait', async () => {
    await limitRate(world(), me.channel, 24 * 3_600);
    const work = await hand();
    await world().rows(
      `update deferred_sends set give_up_at = give_up_at - interval '1 hour' where operation_id = $1 returning 1`,
      [work.operation_id],
    );
    await sendDue();
    expect(await waitingOf(work.operation_id)).toMatchObject([{ status: 'waiting', error: 'rate_limited' }]);
    const later = anotherProcess(world());
    later.others.answers.batches = world().others.answers.batches;
    later.clock.jump(23.5 * 3_600_000);
    await limitRate(world(), me.channel, 24 * 3_600);
    await sendDue(later);
    expect(await reports(work)).toMatchObject([{ status: 'failed', error: 'rate_limited' }]);
    expect(await rowsOf(world(), me.principal)).toMatchObject([{ status: 'failed', charged: false }]);
    await later.chat.close();
  });

  it('goes on from where a process died that had accepted it, with the same message', async () => {
    const work = await hand();
    const dying = anotherProcess(world());
    dying.others.answers.batches = world().others.answers.batches;
    dying.clock.jump(3_600_000);
    // It dies between the acceptance and the post: the platform is never reached.
    const lookup = jest
      .spyOn(dying.recipients, 'channelOf')
      .mockRejectedValue(new CodedError('service_unavailable'));
    await sendDue(dying);
    expect(lookup).toHaveBeenCalledTimes(1);
    const [accepted] = await rowsOf(world(), me.principal);
    expect(accepted).toMatchObject({ status: 'accepted' });
    // The sweep for requests leaves it alone.
    const sweeper = anotherProcess(world());
    sweeper.clock.jump(7_200_000);
    await endAbandonedMessages(sweeper);
    world().clock.jump(7_200_000);
    await sendDue();
    const rows = await rowsOf(world(), me.principal);
    expect(rows).toMatchObject([{ id: accepted?.id, status: 'sent' }]);
    expect(await world().posts(accepted?.id ?? '')).toHaveLength(1);
    expect(await reports(work)).toMatchObject([{ status: 'delivered', message_id: accepted?.id }]);
    await Promise.all([dying.chat.close(), sweeper.chat.close()]);
  });

  it('is unknown when the answer was lost and nothing is found, and never posted again', async () => {
    await loseOutcome(world(), me.channel, 'reset_before');
    const work = await hand();
    await sendDue();
    await sendDue();
    expect(await reports(work)).toMatchObject([{ ...report(work), status: 'unknown' }]);
    expect(await world().postsIn(me.channel)).toEqual([]);
  });

  it('is reported as unknown when its sender died during the post', async () => {
    const work = await hand();
    const { organization_id: id } = me.principal;
    await sendDue();
    await world().rows(
      "update messages set status = 'posting', charged = null, deadline_at = now() - interval '1 minute' where organization_id = $1 returning id",
      [id],
    );
    await endAbandonedMessages(world());
    expect((await reports(work)).map((it) => it.status)).toEqual(['delivered', 'unknown']);
  });
});
