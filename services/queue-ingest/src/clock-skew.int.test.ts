import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Principal } from '@stanza/contracts';
import { type Clock, newContext } from '@stanza/runtime';
import { runJob } from '@stanza/test-kit/service-world';
import { sharedByTests } from '@stanza/test-kit/shared';
import { closeBatches } from './jobs/close-batches.ts';
import { flushQueue } from './operations/flush-queue.ts';
import { getBatchContent } from './operations/get-batch-content.ts';
import { reportBatch } from './operations/report-batch.ts';
import { retryBatch } from './operations/retry-batch.ts';
import { ask, byThree, newQueue, openWorld, pusher, readBatch, rolling, somebody } from './testing/world.ts';

describe('replicas whose clocks differ', () => {
  const world = sharedByTests(openWorld);
  let principal: Principal;

  beforeEach(() => {
    principal = somebody();
  });

  /** A replica whose clock is ahead of the database's, or behind it for a negative value. */
  const replica = (aheadMs: number) => {
    const clock: Clock = {
      now: () => new Date(world().clock.now().getTime() + aheadMs),
      monotonic: () => world().clock.monotonic(),
    };
    return { ...world(), clock };
  };
  const owner = () => ({ organization_id: principal.organization_id, environment: principal.environment });
  const operationOf = async (batchId: string): Promise<string> => {
    const [row] = await world().rows<{ operation_id: string }>(
      'select operation_id from batches where id = $1',
      [batchId],
    );
    return row?.operation_id ?? '';
  };
  const content = async (batch_id: string) => {
    const operation_id = await operationOf(batch_id);
    const input = { ...owner(), batch_id, operation_id };
    return (await ask(getBatchContent(world()), input, principal)).events;
  };
  const flush = (id: string, on: Parameters<typeof flushQueue>[0] = world()) =>
    ask(flushQueue(on), { params: { id }, query: undefined, body: undefined }, principal);

  it.each([5, 2_000, 60_000])(
    'deliver events that one appends to the batch of another that is %s ms ahead',
    async (ms) => {
      const queue = await newQueue(world(), principal, byThree);
      const first = await pusher(replica(ms))(principal, queue.id, [{ n: 0 }]);
      const second = await pusher(replica(-ms))(principal, queue.id, [{ n: 1 }]);
      const third = await pusher(replica(0))(principal, queue.id, [{ n: 2 }]);
      expect([second.batch_id, third.batch_id]).toEqual([first.batch_id, first.batch_id]);
      expect(await content(first.batch_id)).toEqual([{ n: 0 }, { n: 1 }, { n: 2 }]);
    },
  );

  it('deliver and show a batch that the previous version stored with events older than itself', async () => {
    const queue = await newQueue(world(), principal, rolling);
    const { batch_id } = await pusher(world())(principal, queue.id, [{ n: 0 }, { n: 1 }]);
    await world().rows("update batches set opened_at = opened_at + interval '60 seconds' where id = $1", [
      batch_id,
    ]);
    await flush(queue.id);
    expect(await content(batch_id)).toEqual([{ n: 0 }, { n: 1 }]);
    const shown = await readBatch(world(), principal, { queueId: queue.id, batchId: batch_id });
    expect(shown.events.map((it) => it.event)).toEqual([{ n: 0 }, { n: 1 }]);
  });

  it('deliver by a retry a batch that failed in the previous version because its events were not found', async () => {
    const queue = await newQueue(world(), principal, rolling);
    const { batch_id } = await pusher(world())(principal, queue.id, [{ n: 0 }, { n: 1 }]);
    await flush(queue.id);
    await world().rows("update batches set opened_at = opened_at + interval '5 milliseconds' where id = $1", [
      batch_id,
    ]);
    const failed = { ...owner(), batch_id, operation_id: await operationOf(batch_id) };
    await runJob(reportBatch(world()), { ...failed, status: 'failed', error: 'internal_error' });
    const again = {
      params: { id: queue.id, batch_id },
      query: undefined,
      body: { confirm_not_posted: false, use_current_template: false },
    };
    await ask(retryBatch(world()), again, principal, newContext({ deadlineMs: 5_000, principal }));
    expect(await content(batch_id)).toEqual([{ n: 0 }, { n: 1 }]);
  });

  it('append no event older than its batch, which the previous version would not find', async () => {
    const queue = await newQueue(world(), principal, rolling);
    const { batch_id } = await pusher(world())(principal, queue.id, [{ n: 0 }]);
    await world().rows("update batches set opened_at = opened_at + interval '5 milliseconds' where id = $1", [
      batch_id,
    ]);
    await pusher(world())(principal, queue.id, [{ n: 1 }]);
    const [late] = await world().rows<{ is_older: boolean }>(
      `select event_pushes.received_at < batches.opened_at as is_older
       from event_pushes
       join batches on batches.id = batch_id
       where batch_id = $1 and position = 1`,
      [batch_id],
    );
    expect(late).toEqual({ is_older: false });
  });

  it('close no batch before its time, and each due one', async () => {
    const queue = await newQueue(world(), principal, rolling);
    const { batch_id } = await pusher(replica(-60_000))(principal, queue.id, [{}]);
    const status = async () =>
      (await world().rows<{ status: string }>('select status from batches where id = $1', [batch_id]))[0]
        ?.status;
    await closeBatches(replica(120_000))();
    expect(await status()).toBe('collecting');
    world().clock.passSeconds(60);
    await closeBatches(replica(-120_000))();
    expect(await status()).toBe('ready');
  });

  it("accept an event once within a day of the database's clock, whatever the skew", async () => {
    const queue = await newQueue(world(), principal, rolling);
    const first = await pusher(replica(-60_000))(principal, queue.id, [{ id: 'a' }]);
    world().clock.passSeconds(24 * 3_600 - 1);
    const second = await pusher(replica(60_000))(principal, queue.id, [{ id: 'a' }]);
    expect(second.event_ids).toEqual(first.event_ids);
  });

  it('give a flush and a retry the time of the database, which selects the live version', async () => {
    const queue = await newQueue(world(), principal, rolling);
    const { batch_id } = await pusher(world())(principal, queue.id, [{}]);
    await flush(queue.id, replica(60_000));
    const [row] = await world().rows<{ live_at: Date; closed_at: Date }>(
      'select live_at, closed_at from batches where id = $1',
      [batch_id],
    );
    expect(row).toEqual({ live_at: world().clock.now(), closed_at: world().clock.now() });
  });
});
