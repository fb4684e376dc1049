import { beforeEach, describe, expect, it } from '@jest/globals';
import type { InputOf } from '@stanza/contracts';
import { metricCatalogue, type Principal, type reportBatch as reportDeclaration } from '@stanza/contracts';
import { newId } from '@stanza/runtime';
import { runJob } from '@stanza/test-kit/service-world';
import { sharedByTests } from '@stanza/test-kit/shared';
import { discardDelivery } from '../discard-delivery.ts';
import { flushQueue } from '../operations/flush-queue.ts';
import { getBatchContent } from '../operations/get-batch-content.ts';
import { reportBatch } from '../operations/report-batch.ts';
import { ask, byThree, newQueue, openWorld, pusher, readBatch, rolling, somebody } from '../testing/world.ts';
import { closeBatches } from './close-batches.ts';
import { showBatches } from './show-batches.ts';

const live = { ...rolling, live: true, live_interval_seconds: 20 } as const;

describe('a live batch', () => {
  const world = sharedByTests(openWorld);
  let principal: Principal;

  beforeEach(() => {
    principal = somebody();
  });

  const owner = () => ({ organization_id: principal.organization_id, environment: principal.environment });
  const begin = async (policy: Parameters<typeof newQueue>[2] = live) => {
    const queue = await newQueue(world(), principal, policy);
    const push = (n: number) => pusher(world())(principal, queue.id, [{ n }]);
    const { batch_id: id } = await push(0);
    return { queue, push, id };
  };
  /** The operations by which the batch was handed to delivery so far. */
  const handed = async (id: string): Promise<string[]> => {
    const rows = await world().rows<{ operation_id: string }>(
      `select payload ->> 'operation_id' as operation_id
       from outbox
       where subject = 'work.delivery.deliver-batch' and payload ->> 'batch_id' = $1
       order by id`,
      [id],
    );
    return rows.map((it) => it.operation_id);
  };
  const show = () => Promise.all([showBatches(world())(), showBatches(world())()]);
  /** Shows what is due, and answers the operation that does. */
  const shownBy = async (id: string): Promise<string> => {
    await show();
    const [operationId, ...others] = (await handed(id)).reverse();
    if (operationId === undefined) throw new Error(`nothing shows the batch; ${others.length}`);
    return operationId;
  };
  const content = (id: string, operationId: string, more: { updates?: boolean } = { updates: true }) =>
    ask(
      getBatchContent(world()),
      { ...owner(), batch_id: id, operation_id: operationId, ...more },
      principal,
    );
  const report = (
    id: string,
    operationId: string,
    told: Pick<InputOf<typeof reportDeclaration>, 'status' | 'message_id' | 'error'>,
  ) => runJob(reportBatch(world()), { ...owner(), batch_id: id, operation_id: operationId, ...told });

  it('is shown with its first event at once, by one replica', async () => {
    const { id } = await begin();
    const operationId = await shownBy(id);
    await show();
    expect(await handed(id)).toEqual([operationId]);
    expect(await content(id, operationId)).toMatchObject({
      live: true,
      batch: { id, closed_at: null, close_reason: null },
      events: [{ n: 0 }],
    });
    await expect(content(id, newId())).rejects.toMatchObject({ code: 'not_found' });
  });

  it('A live batch is shown again once an operator has discarded the job that was to show it', async () => {
    const { push, id } = await begin();
    const discarded = await shownBy(id);
    const letter = JSON.stringify({ ...owner(), queue_id: newId(), batch_id: id, operation_id: discarded });
    await world().database.transaction((tx) => discardDelivery(world()).run(tx, letter));
    await push(1);
    world().clock.passSeconds(20);
    const next = await shownBy(id);
    expect(next).not.toBe(discarded);
    expect(await content(id, next)).toMatchObject({ events: [{ n: 0 }, { n: 1 }] });
  });

  it('is shown again an interval after it was, with all events, and not without new ones', async () => {
    const { queue, push, id } = await begin();
    const first = await shownBy(id);
    await push(1);
    world().clock.passSeconds(21);
    await show();
    expect(await handed(id)).toEqual([first]);
    const message_id = newId();
    await report(id, first, { status: 'delivered', message_id });
    await report(id, first, { status: 'delivered', message_id: newId() });
    expect(await readBatch(world(), principal, { queueId: queue.id, batchId: id })).toMatchObject({
      status: 'collecting',
      message_id,
      ended_at: null,
    });
    world().clock.passSeconds(19);
    await show();
    expect(await handed(id)).toEqual([first]);
    world().clock.passSeconds(2);
    const second = await shownBy(id);
    expect(second).not.toBe(first);
    expect(await content(id, second)).toMatchObject({ events: [{ n: 0 }, { n: 1 }] });
    await report(id, second, { status: 'delivered', message_id });
    world().clock.passSeconds(17);
    await push(2);
    await show();
    expect(await handed(id)).toEqual([first, second]);
    world().clock.passSeconds(4);
    expect(await shownBy(id)).not.toBe(second);
  });

  it('is made up for by the next one where one failed, and counts both', async () => {
    const shownUntilNow = async () => {
      const { values } = await world().metrics.counter(metricCatalogue.queues.batchesShown).get();
      return values.find(({ labels }) => labels.status === 'failed')?.value ?? 0;
    };
    const before = await shownUntilNow();
    const { push, id } = await begin();
    const first = await shownBy(id);
    await report(id, first, { status: 'failed', error: 'insufficient_credits' });
    expect((await shownUntilNow()) - before).toBe(1);
    world().clock.passSeconds(21);
    await push(1);
    const second = await shownBy(id);
    expect(await content(id, second)).toMatchObject({ events: [{ n: 0 }, { n: 1 }] });
  });

  it('is handed over as any other when it closes: what showed it before has nothing left to do', async () => {
    const { queue, push, id } = await begin();
    const first = await shownBy(id);
    await push(1);
    await ask(
      flushQueue(world()),
      { params: { id: queue.id }, query: undefined, body: undefined },
      principal,
    );
    world().clock.passSeconds(60);
    await show();
    await closeBatches(world())();
    const [one, closing, ...others] = await handed(id);
    expect([one, others]).toEqual([first, []]);
    await expect(content(id, first)).rejects.toMatchObject({ code: 'not_found' });
    const closed = await content(id, closing ?? '');
    expect(closed).toMatchObject({
      live: true,
      batch: { close_reason: 'flushed' },
      events: [{ n: 0 }, { n: 1 }],
    });
    await report(id, closing ?? '', { status: 'delivered', message_id: newId() });
    await report(id, first, { status: 'unknown', message_id: newId() });
    expect(await readBatch(world(), principal, { queueId: queue.id, batchId: id })).toMatchObject({
      status: 'delivered',
    });
  });

  it('goes to no delivery of the previous version once it was shown, which would post another message', async () => {
    const { queue, id } = await begin();
    const shown = await shownBy(id);
    await expect(content(id, shown, {})).rejects.toMatchObject({ code: 'not_found' });
    await ask(
      flushQueue(world()),
      { params: { id: queue.id }, query: undefined, body: undefined },
      principal,
    );
    const [, closing = ''] = await handed(id);
    await expect(content(id, closing, {})).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(await content(id, closing)).toMatchObject({ events: [{ n: 0 }] });
  });

  it('that its first push closes is not shown before', async () => {
    const { id } = await begin({ ...byThree, threshold: 1, live: true });
    await show();
    expect(await handed(id)).toHaveLength(1);
    const rows = await world().rows('select live_due_at, live_shown_at from batches where id = $1', [id]);
    expect(rows).toEqual([{ live_due_at: null, live_shown_at: null }]);
  });

  it('is none of a queue that is not live', async () => {
    const { id } = await begin(rolling);
    await show();
    expect(await handed(id)).toEqual([]);
  });
});
