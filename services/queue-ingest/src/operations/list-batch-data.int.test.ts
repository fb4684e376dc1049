import { beforeEach, describe, expect, it } from '@jest/globals';
import { limits, type Principal } from '@stanza/contracts';
import { newId } from '@stanza/runtime';
import { sharedByTests } from '@stanza/test-kit/shared';
import { ask, newQueue, openWorld, pusher, rolling, somebody } from '../testing/world.ts';
import { deleteQueue } from './delete-queue.ts';
import { listBatchData } from './list-batch-data.ts';
import { updateQueue } from './update-queue.ts';

describe('the batches that an impact looks at', () => {
  const world = sharedByTests(openWorld);
  let principal: Principal;
  let template_id: string;
  beforeEach(() => {
    principal = somebody();
    template_id = newId();
  });

  const looked = (template = template_id, by = principal) => {
    const { organization_id, environment } = by;
    return ask(listBatchData(world()), { organization_id, environment, template_id: template }, by);
  };
  const idsOf = async (template = template_id, by = principal) =>
    (await looked(template, by)).items.map((it) => it.id);
  const queueWithBatch = async (template = template_id) => {
    const queue = await newQueue(world(), principal, { ...rolling, template_id: template });
    const { batch_id } = await pusher(world())(principal, queue.id, [{ service: 'api' }]);
    return { id: queue.id, batch_id };
  };
  const changeTemplate = (id: string, template: string) =>
    ask(
      updateQueue(world()),
      { params: { id }, query: undefined, body: { template_id: template } },
      principal,
    );
  const deliver = (batch_id: string) =>
    world().rows(
      `update batches set status = 'delivered', closed_at = now(), ended_at = now() where id = $1`,
      [batch_id],
    );

  it('are those of its queues, delivered or not, as the template sees them', async () => {
    const [open, done] = [await queueWithBatch(), await queueWithBatch()];
    await deliver(done.batch_id);
    await queueWithBatch(newId());
    expect(new Set(await idsOf())).toEqual(new Set([open.batch_id, done.batch_id]));
    const { items, left_out } = await looked();
    expect(left_out).toBe(0);
    expect(items).toContainEqual({
      id: open.batch_id,
      name: rolling.name,
      owner: null,
      data: expect.objectContaining({ event_count: 1, first: { service: 'api' } }),
    });
    for (const stranger of [somebody(), { ...principal, environment: 'preview' as const }]) {
      expect(await looked(template_id, stranger)).toEqual({ items: [], left_out: 0 });
    }
  });

  it('are as their digests will see them: closed, unless the queue shows them while they are open', async () => {
    const open = await queueWithBatch();
    const live = await newQueue(world(), principal, { ...rolling, template_id, live: true });
    const shown = await pusher(world())(principal, live.id, [{ service: 'api' }]);
    const seen = new Map((await looked()).items.map(({ id, data }) => [id, data]));
    expect(seen.get(open.batch_id)).toMatchObject({
      closed: true,
      batch: { closed_at: expect.any(String), close_reason: 'window_elapsed' },
    });
    expect(seen.get(shown.batch_id)).toMatchObject({
      closed: false,
      batch: { closed_at: null, close_reason: null },
    });
  });

  it('are undelivered ones of queues that have another template by now, whose digests use it still', async () => {
    const queue = await queueWithBatch();
    const next = newId();
    await changeTemplate(queue.id, next);
    expect(await idsOf()).toEqual([queue.batch_id]);
    expect(await looked(next)).toEqual({ items: [], left_out: 0 });
    await deliver(queue.batch_id);
    expect(await looked()).toEqual({ items: [], left_out: 0 });
  });

  it('are none of deleted queues', async () => {
    const queue = await queueWithBatch();
    await world().rows("update batches set status = 'failed', closed_at = now() where id = $1", [
      queue.batch_id,
    ]);
    expect(await idsOf()).toEqual([queue.batch_id]);
    await ask(
      deleteQueue(world()),
      { params: { id: queue.id }, query: undefined, body: undefined },
      principal,
    );
    expect(await looked()).toEqual({ items: [], left_out: 0 });
  });

  it('are bounded, and so is how many are counted', async () => {
    const queue = await queueWithBatch();
    await changeTemplate(queue.id, newId());
    await world().rows(
      `insert into batches (organization_id, environment, id, queue_id, status, policy, event_count, byte_count,
         opened_at, window_end, latest_end, closed_at)
       select organization_id, environment, gen_random_uuid(), queue_id, 'failed', policy, event_count, byte_count,
         opened_at, window_end, latest_end, now()
       from batches, generate_series(1, 1500)
       where id = $1`,
      [queue.batch_id],
    );
    const { items, left_out } = await looked();
    expect(items).toHaveLength(limits.impactItems);
    expect(left_out).toBe(1_000 - limits.impactItems);
  });
});
