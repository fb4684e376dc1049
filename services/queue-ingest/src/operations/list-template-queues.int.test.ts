import { describe, expect, it } from '@jest/globals';
import type { Principal } from '@stanza/contracts';
import { newId } from '@stanza/runtime';
import { sharedByTests } from '@stanza/test-kit/shared';
import { waitFor } from '@stanza/test-kit/wait';
import {
  ask,
  byThree,
  newQueue,
  openWorld,
  pusher,
  rolling,
  somebody,
  type World,
} from '../testing/world.ts';
import { deleteQueue } from './delete-queue.ts';
import { listDestinationQueues } from './list-destination-queues.ts';
import { listTemplateQueues } from './list-template-queues.ts';
import { updateQueue } from './update-queue.ts';

describe('the queues of a destination', () => {
  const world = sharedByTests(openWorld);

  it('are those that deliver to it and are not deleted, in their tenant only', async () => {
    const principal = somebody();
    const destination_id = newId();
    world().destinations.add(destination_id);
    const policy = { ...byThree, channel_id: undefined, destination_id };
    const kept = await newQueue(world(), principal, { ...policy, name: 'Kept' });
    const gone = await newQueue(world(), principal, { ...policy, name: 'Gone' });
    await newQueue(world(), principal, byThree);
    await ask(
      deleteQueue(world()),
      { params: { id: gone.id }, query: undefined, body: undefined },
      principal,
    );
    const queuesOf = ({ organization_id, environment }: Principal) =>
      ask(listDestinationQueues(world()), { organization_id, environment, destination_id }, principal);
    expect(await queuesOf(principal)).toEqual({
      queues: [{ id: kept.id, name: 'Kept', is_active: true }],
      batches: [],
    });
    for (const stranger of [somebody(), { ...principal, environment: 'preview' as const }]) {
      expect(await queuesOf(stranger)).toEqual({ queues: [], batches: [] });
    }
  });
});

describe('a queue on a destination that is deleted beside it', () => {
  const world = sharedByTests(openWorld);

  /**
   * The world with a check of references that does something else first, at its nth call; the first two are before the
   * transaction.
   */
  const before = (call: number, first: () => Promise<unknown>) => {
    let calls = 0;
    const rpc: World['rpc'] = {
      ...world().rpc,
      call: async (...args) => {
        calls += 1;
        if (calls === call) await first();
        return world().rpc.call(...args);
      },
    };
    return { ...world(), rpc };
  };
  const policyOn = (destination_id: string) => ({ ...byThree, channel_id: undefined, destination_id });

  it('is refused where the deletion came after its first check', async () => {
    const principal = somebody();
    const destination_id = newId();
    world().destinations.add(destination_id);
    const racing = before(3, async () => world().destinations.delete(destination_id));
    await expect(newQueue(racing, principal, policyOn(destination_id))).rejects.toMatchObject({
      code: 'not_found',
    });
    const made = await world().rows('select id from queues where organization_id = $1', [
      principal.organization_id,
    ]);
    expect(made).toEqual([]);
  });

  it('is among the references for which the deletion asks, though it is not yet committed', async () => {
    const principal = somebody();
    const { organization_id, environment } = principal;
    const destination_id = newId();
    world().destinations.add(destination_id);
    const checked = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    const racing = before(3, () => {
      checked.resolve();
      return go.promise;
    });
    const making = newQueue(racing, principal, policyOn(destination_id));
    await checked.promise;
    const asking = ask(
      listDestinationQueues(world()),
      { organization_id, environment, destination_id },
      principal,
    );
    await waitFor('the question to wait for the queue', async () => {
      const waiting = "select from pg_locks where locktype = 'advisory' and not granted";
      return (await world().rows(waiting)).length > 0;
    });
    go.resolve();
    const { id } = await making;
    expect((await asking).queues.map((it) => it.id)).toEqual([id]);
  });
});

describe('the batches of a destination', () => {
  const world = sharedByTests(openWorld);

  it('are the undelivered ones, also when their queue has another destination by now', async () => {
    const principal = somebody();
    const destination_id = newId();
    world().destinations.add(destination_id);
    const policy = { ...rolling, channel_id: undefined, destination_id };
    const queue = await newQueue(world(), principal, policy);
    const { batch_id } = await pusher(world())(principal, queue.id, [{}]);
    const elsewhere = { params: { id: queue.id }, query: undefined, body: { channel_id: 'C1' } };
    await ask(updateQueue(world()), elsewhere, principal);
    const { organization_id, environment } = principal;
    expect(
      await ask(listDestinationQueues(world()), { organization_id, environment, destination_id }, principal),
    ).toEqual({
      queues: [],
      batches: [{ id: batch_id, status: 'collecting', queue: { id: queue.id, name: queue.name } }],
    });
  });
});

describe('the queues of a template', () => {
  const world = sharedByTests(openWorld);

  const queuesOf = async (principal: Principal, template_id: string) => {
    const { organization_id, environment } = principal;
    const asked = { organization_id, environment, template_id };
    return (await ask(listTemplateQueues(world()), asked, principal)).queues;
  };

  it('are those that use it and are not deleted, in their tenant only', async () => {
    const principal = somebody();
    const template_id = newId();
    const policy = { ...byThree, template_id };
    const kept = await newQueue(world(), principal, { ...policy, name: 'Kept' });
    const gone = await newQueue(world(), principal, { ...policy, name: 'Gone' });
    await newQueue(world(), principal, { ...byThree, template_id: newId() });
    const removal = { params: { id: gone.id }, query: undefined, body: undefined };
    await ask(deleteQueue(world()), removal, principal);
    expect(await queuesOf(principal, template_id)).toEqual([{ id: kept.id, name: 'Kept', is_active: true }]);
    for (const stranger of [somebody(), { ...principal, environment: 'preview' as const }]) {
      expect(await queuesOf(stranger, template_id)).toEqual([]);
    }
  });

  it('are listed with their undelivered batches, also when they have another template by now', async () => {
    const principal = somebody();
    const template_id = newId();
    const queue = await newQueue(world(), principal, { ...rolling, template_id });
    const { batch_id } = await pusher(world())(principal, queue.id, [{}]);
    const next = { params: { id: queue.id }, query: undefined, body: { template_id: newId() } };
    await ask(updateQueue(world()), next, principal);
    const { organization_id, environment } = principal;
    const asked = { organization_id, environment, template_id };
    const references = () => ask(listTemplateQueues(world()), asked, principal);
    const become = (status: string) =>
      world().rows(
        `update batches set status = $2, closed_at = case when $2 <> 'collecting' then now() end where id = $1`,
        [batch_id, status],
      );
    for (const status of ['collecting', 'ready', 'delivering', 'failed', 'unknown'] as const) {
      await become(status);
      expect(await references()).toEqual({
        queues: [],
        batches: [{ id: batch_id, status, queue: { id: queue.id, name: queue.name } }],
      });
      const stranger = { ...asked, organization_id: newId() };
      expect(await ask(listTemplateQueues(world()), stranger, principal)).toEqual({
        queues: [],
        batches: [],
      });
    }
    await become('delivered');
    expect(await references()).toEqual({ queues: [], batches: [] });
  });

  it('are listed without the failed batches of a deleted queue, which cannot be retried', async () => {
    const principal = somebody();
    const template_id = newId();
    const queue = await newQueue(world(), principal, { ...rolling, template_id });
    const { batch_id } = await pusher(world())(principal, queue.id, [{}]);
    await world().rows("update batches set status = 'failed', closed_at = now() where id = $1", [batch_id]);
    const removal = { params: { id: queue.id }, query: undefined, body: undefined };
    await ask(deleteQueue(world()), removal, principal);
    const { organization_id, environment } = principal;
    expect(
      await ask(listTemplateQueues(world()), { organization_id, environment, template_id }, principal),
    ).toEqual({ queues: [], batches: [] });
  });

  it('are limited to ten, active ones first', async () => {
    const principal = somebody();
    const template_id = newId();
    // The tier counts active queues only.
    const policy = { ...byThree, template_id, is_active: false };
    for (let count = 0; count < 11; count += 1) await newQueue(world(), principal, policy);
    expect(await queuesOf(principal, template_id)).toHaveLength(10);
    const active = await newQueue(world(), principal, { ...policy, is_active: true, name: 'Active' });
    const [first, ...others] = await queuesOf(principal, template_id);
    expect(first).toEqual({ id: active.id, name: 'Active', is_active: true });
    expect(others).toHaveLength(9);
  });
});
