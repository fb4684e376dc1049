import { beforeEach, describe, expect, it } from '@jest/globals';
import { jobSubjectOf, type Principal, recordEvent } from '@stanza/contracts';
import { newContext, newId } from '@stanza/runtime';
import { sharedByTests } from '@stanza/test-kit/shared';
import { discardDelivery } from './discard-delivery.ts';
import { deleteQueue } from './operations/delete-queue.ts';
import { getBatchContent } from './operations/get-batch-content.ts';
import { retryBatch } from './operations/retry-batch.ts';
import { ask, byThree, newQueue, openWorld, pusher, readBatch, somebody } from './testing/world.ts';

describe('a batch whose delivery an operator discards', () => {
  const world = sharedByTests(openWorld);
  let principal: Principal;

  beforeEach(() => {
    principal = somebody();
  });

  const owner = () => ({ organization_id: principal.organization_id, environment: principal.environment });
  const ready = async () => {
    const { id: queueId } = await newQueue(world(), principal, byThree);
    const { batch_id: batchId } = await pusher(world())(principal, queueId, [{}, {}, {}]);
    const [row] = await world().rows<{ operation_id: string }>(
      'select operation_id from batches where id = $1',
      [batchId],
    );
    return { queueId, batchId, operationId: row?.operation_id ?? '' };
  };
  type Ready = Awaited<ReturnType<typeof ready>>;
  const discard = ({ queueId: queue_id, batchId: batch_id, operationId: operation_id }: Ready) => {
    const letter = JSON.stringify({ ...owner(), queue_id, batch_id, operation_id });
    return world().database.transaction((tx) => discardDelivery(world()).run(tx, letter));
  };
  const begin = ({ batchId: batch_id, operationId: operation_id }: Ready) =>
    ask(getBatchContent(world()), { ...owner(), batch_id, operation_id }, principal);
  const retry = ({ queueId, batchId }: Ready) =>
    ask(
      retryBatch(world()),
      {
        params: { id: queueId, batch_id: batchId },
        query: undefined,
        body: { confirm_not_posted: false, use_current_template: false },
      },
      principal,
      newContext({ deadlineMs: 5_000, principal }),
    );
  const statusOf = async (batch: Ready) => (await readBatch(world(), principal, batch)).status;
  const told = (batch: Ready) =>
    world().rows("select from outbox where subject = $1 and payload ->> 'subject' = $2", [
      jobSubjectOf(recordEvent),
      batch.batchId,
    ]);

  it('A batch with a discarded delivery fails with an event, never begins, and can be retried', async () => {
    const batch = await ready();
    await discard(batch);
    await discard(batch);
    expect(await readBatch(world(), principal, batch)).toMatchObject({
      status: 'failed',
      error: 'internal_error',
      error_details: expect.stringContaining('discarded'),
    });
    expect(await told(batch)).toHaveLength(1);
    await expect(begin(batch)).rejects.toMatchObject({ code: 'not_found' });
    expect(await retry(batch)).toMatchObject({ status: 'ready', attempt: 2 });
  });

  it('A queue can be deleted once the delivery of its batch is discarded', async () => {
    const batch = await ready();
    const remove = () =>
      ask(
        deleteQueue(world()),
        { params: { id: batch.queueId }, query: undefined, body: undefined },
        principal,
      );
    await expect(remove()).rejects.toMatchObject({ code: 'invalid_state' });
    await discard(batch);
    expect(await remove()).toMatchObject({ success: true });
  });

  it('A discard leaves a batch alone whose delivery has begun, or that has another attempt', async () => {
    const begun = await ready();
    await begin(begun);
    await discard(begun);
    expect(await statusOf(begun)).toBe('delivering');
    const other = await ready();
    await discard({ ...other, operationId: newId() });
    expect(await statusOf(other)).toBe('ready');
  });
});
