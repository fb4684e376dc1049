import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Principal } from '@stanza/contracts';
import { newId } from '@stanza/runtime';
import { ask, byThree, newQueue, openWorld, somebody, type World } from '../testing/world.ts';
import { deleteQueue } from './delete-queue.ts';
import { listDestinationQueues } from './list-destination-queues.ts';
import { listTemplateQueues } from './list-template-queues.ts';

describe('the queues of a destination', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());

  it('are those that deliver to it and are not deleted, in their tenant alone', async () => {
    const principal = somebody();
    const destination_id = newId();
    world.destinations.add(destination_id);
    const policy = { ...byThree, channel_id: undefined, destination_id };
    const kept = await newQueue(world, principal, { ...policy, name: 'Kept' });
    const gone = await newQueue(world, principal, { ...policy, name: 'Gone' });
    await newQueue(world, principal, byThree);
    await ask(deleteQueue(world), { params: { id: gone.id }, query: undefined, body: undefined }, principal);
    const queuesOf = ({ organization_id, environment }: Principal) =>
      ask(listDestinationQueues(world), { organization_id, environment, destination_id }, principal);
    expect(await queuesOf(principal)).toEqual({ queues: [{ id: kept.id, name: 'Kept' }] });
    for (const stranger of [somebody(), { ...principal, environment: 'preview' as const }]) {
      expect(await queuesOf(stranger)).toEqual({ queues: [] });
    }
  });
});

describe('the queues of a template', () => {
  let world: World;

  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());

  const queuesOf = async (principal: Principal, template_id: string) => {
    const { organization_id, environment } = principal;
    const asked = { organization_id, environment, template_id };
    return (await ask(listTemplateQueues(world), asked, principal)).queues;
  };

  it('are those that make their digests from it and are not deleted, in their tenant alone', async () => {
    const principal = somebody();
    const template_id = newId();
    const policy = { ...byThree, template_id };
    const kept = await newQueue(world, principal, { ...policy, name: 'Kept' });
    const gone = await newQueue(world, principal, { ...policy, name: 'Gone' });
    await newQueue(world, principal, { ...byThree, template_id: newId() });
    const removal = { params: { id: gone.id }, query: undefined, body: undefined };
    await ask(deleteQueue(world), removal, principal);
    expect(await queuesOf(principal, template_id)).toEqual([{ id: kept.id, name: 'Kept' }]);
    for (const stranger of [somebody(), { ...principal, environment: 'preview' as const }]) {
      expect(await queuesOf(stranger, template_id)).toEqual([]);
    }
  });

  it('are named up to ten', async () => {
    const principal = somebody();
    const template_id = newId();
    // A tier counts active queues alone.
    const policy = { ...byThree, template_id, is_active: false };
    for (let count = 0; count < 11; count += 1) await newQueue(world, principal, policy);
    expect(await queuesOf(principal, template_id)).toHaveLength(10);
  });
});
