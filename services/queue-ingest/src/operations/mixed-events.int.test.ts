import { beforeEach, describe, expect, it } from '@jest/globals';
import { getBatchContent as contentOperation, type Principal } from '@stanza/contracts';
import { newContext, newId } from '@stanza/runtime';
import { runJob } from '@stanza/test-kit/service-world';
import { sharedByTests } from '@stanza/test-kit/shared';
import { storeByEvent, storedEvents } from '../testing/stored-events.ts';
import { ask, newQueue, openWorld, pusher, readBatch, rolling, somebody } from '../testing/world.ts';
import { getBatchContent } from './get-batch-content.ts';
import { listBatchData } from './list-batch-data.ts';
import { reportBatch } from './report-batch.ts';
import { retryBatch } from './retry-batch.ts';

const numbers = (from: number, count: number): { n: number }[] =>
  Array.from({ length: count }, (_, at) => ({ n: from + at }));

describe('a batch with rows of events, which earlier releases have written, and with rows of pushes', () => {
  const world = sharedByTests(openWorld);
  let principal: Principal;

  beforeEach(() => {
    principal = somebody();
  });

  const push = (queueId: string, given: object[], operationId?: string) =>
    pusher(world())(principal, queueId, given, operationId);
  /** All pushes until now, its own among them, are stored as rows of events. */
  const byEvent = async (...given: Parameters<typeof push>) => {
    const answer = await push(...given);
    await storeByEvent(world(), principal.organization_id);
    return answer;
  };

  /** Pushes 4, 3 and 2 events by turns, with the queue's threshold at 9. */
  const fill = async () => {
    const queue = await newQueue(world(), principal, {
      name: 'By nine',
      mode: 'fixed_volume',
      threshold: 9,
      template_id: rolling.template_id,
      channel_id: 'C0DEPLOYS',
    });
    const pushes = [
      await byEvent(queue.id, numbers(0, 4)),
      await push(queue.id, numbers(4, 3)),
      await push(queue.id, numbers(7, 2)),
    ];
    const ids = pushes.flatMap((it) => it.event_ids);
    return { queueId: queue.id, batchId: pushes[0]?.batch_id ?? '', ids, last: pushes.at(-1) };
  };
  const operationOf = async (batchId: string) =>
    (
      await world().rows<{ operation_id: string }>('select operation_id from batches where id = $1', [
        batchId,
      ])
    )[0]?.operation_id ?? '';
  const owner = () => ({
    organization_id: principal.organization_id,
    environment: principal.environment,
  });
  const content = async (batch_id: string) => {
    const input = { ...owner(), batch_id, operation_id: await operationOf(batch_id) };
    return (await ask(getBatchContent(world()), contentOperation.input.parse(input), principal)).events;
  };

  it('is delivered whole and in order, closed by a threshold that any of them reaches', async () => {
    const { batchId, last } = await fill();
    expect(last).toMatchObject({ batch_id: batchId, batch_status: 'ready', event_count: 9 });
    expect(await content(batchId)).toEqual(numbers(0, 9));
  });

  it('begins another batch with a push that comes after a threshold in the middle of the one before', async () => {
    const { queueId, batchId } = await fill();
    const over = await push(queueId, numbers(0, 8));
    expect(over.batch_id).not.toBe(batchId);
    const across = await push(queueId, numbers(8, 5));
    expect(across).toMatchObject({ batch_id: over.batch_id, batch_status: 'ready', event_count: 13 });
    expect(await content(over.batch_id)).toEqual(numbers(0, 13));
  });

  it('is shown in pages that begin and end in the middle of a push', async () => {
    const { queueId, batchId, ids } = await fill();
    for (let offset = 0; offset < 10; offset += 1)
      for (const limit of [1, 2, 4, 20]) {
        const read = await readBatch(world(), principal, { queueId, batchId }, { limit, offset });
        const shown = { ids: read.events.map((it) => it.id), events: read.events.map((it) => it.event) };
        expect({ offset, limit, ...shown }).toEqual({
          offset,
          limit,
          ids: ids.slice(offset, offset + limit),
          events: numbers(0, 9).slice(offset, offset + limit),
        });
        expect(read.pagination.total).toBe(9);
      }
  });

  it('is what an impact looks at', async () => {
    await fill();
    const input = { ...owner(), template_id: rolling.template_id };
    const { items } = await ask(listBatchData(world()), input, principal);
    expect(items.map((it) => it.data)).toEqual([
      expect.objectContaining({ events: numbers(0, 9), event_count: 9, first: { n: 0 }, last: { n: 8 } }),
    ]);
  });

  it('is delivered again by a retry', async () => {
    const { queueId, batchId } = await fill();
    const failed = { ...owner(), batch_id: batchId, operation_id: await operationOf(batchId) };
    await runJob(reportBatch(world()), { ...failed, status: 'failed', error: 'internal_error' });
    const again = {
      params: { id: queueId, batch_id: batchId },
      query: undefined,
      body: { confirm_not_posted: false, use_current_template: false },
    };
    await ask(retryBatch(world()), again, principal, newContext({ deadlineMs: 5_000, principal }));
    expect(await content(batchId)).toEqual(numbers(0, 9));
  });

  it('answers a push again whose events are in rows of events, and stores nothing', async () => {
    const queue = await newQueue(world(), principal, rolling);
    const operationId = newId();
    const given = [{ id: 'a' }, { n: 1 }, { id: 'a' }, { id: 'b' }];
    const answer = await byEvent(queue.id, given, operationId);
    expect(await push(queue.id, given, operationId)).toEqual(answer);
    expect(await storedEvents(world(), principal.organization_id)).toHaveLength(3);
  });

  it('knows a repeated event whose first one is in a row of events', async () => {
    const queue = await newQueue(world(), principal, rolling);
    const before = await byEvent(queue.id, [{ n: 0 }, { id: 'a' }, { id: 'b' }]);
    const after = await push(queue.id, [{ id: 'c' }, { id: 'b' }, { id: 'a' }, { id: 'd' }]);
    expect(after.event_ids.slice(1, 3)).toEqual([before.event_ids[2], before.event_ids[1]]);
    const stored = await storedEvents(world(), principal.organization_id);
    expect(stored.map((it) => it.event)).toEqual([
      { n: 0 },
      { id: 'a' },
      { id: 'b' },
      { id: 'c' },
      { id: 'd' },
    ]);
    expect(stored.map((it) => it.id)).toEqual([...before.event_ids, after.event_ids[0], after.event_ids[3]]);
  });

  it('answers all ids of a push that only its first one stands for, also as the report of a lost answer', async () => {
    const queue = await newQueue(world(), principal, rolling);
    const operationId = newId();
    const answer = await push(queue.id, numbers(0, 100), operationId);
    expect(new Set(answer.event_ids).size).toBe(100);
    const [row] = await world().rows<{ event_ids: string[]; derived_ids: number }>(
      'select event_ids, derived_ids from pushes where operation_id = $1',
      [operationId],
    );
    expect(row).toEqual({ event_ids: answer.event_ids.slice(0, 1), derived_ids: 100 });
    expect((await push(queue.id, numbers(0, 100), operationId)).event_ids).toEqual(answer.event_ids);
  });
});
