import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Principal } from '@stanza/contracts';
import { newContext, newId, packPush } from '@stanza/runtime';
import { sharedByTests } from '@stanza/test-kit/shared';
import { storedEvents } from '../testing/stored-events.ts';
import { ask, newQueue, openWorld, pusher, rolling, somebody } from '../testing/world.ts';
import { pushPackedEvents } from './push-packed-events.ts';

const given = [
  { id: 'deploy-1', text: 'a "quoted" \\\\ backslash, {braces}, [brackets], \\n and \n' },
  { '': null, nested: [[], {}, [{ deep: [true, false, 0.1, -1e-7, 123456789012345680000] }]] },
  { id: 'deploy-2', text: '👩‍👩‍👧 \u2028 ½ $1 :name; -- \u001b' },
];

describe('push-packed-events', () => {
  const world = sharedByTests(openWorld);
  let principal: Principal;

  beforeEach(() => {
    principal = somebody();
  });

  const pushPacked = (queueId: string, events: Record<string, unknown>[], operationId = newId()) => {
    const { packed, ...rest } = packPush(events);
    const input = { queue_id: queueId, ...rest, packed: packed.toString('base64') };
    const context = { ...newContext({ deadlineMs: 5_000, principal }), operationId };
    return ask(pushPackedEvents(world()), input, principal, context);
  };
  const stored = () => storedEvents(world(), principal.organization_id);

  it('stores what push-events stores', async () => {
    const queue = await newQueue(world(), principal, rolling);
    const packed = await pushPacked(queue.id, given);
    const other = await newQueue(world(), principal, { ...rolling, name: 'Other' });
    const plain = await pusher(world())(principal, other.id, given);
    const found = Map.groupBy(await stored(), (it) => it.batch_id);
    const [ofPacked = [], ofPlain = []] = [found.get(packed.batch_id), found.get(plain.batch_id)];
    expect(ofPacked.map((it) => it.event)).toEqual(given);
    expect(ofPacked.map((it) => it.id)).toEqual(packed.event_ids);
    expect(ofPacked.map(({ event, position }) => ({ event, position }))).toEqual(
      ofPlain.map(({ event, position }) => ({ event, position })),
    );
    const sizes = await world().rows<{ byte_count: number }>(
      'select distinct byte_count from batches where organization_id = $1',
      [principal.organization_id],
    );
    expect(sizes).toEqual([
      { byte_count: Buffer.byteLength(given.map((it) => JSON.stringify(it)).join('')) },
    ]);
  });

  it('happens once by its operation, in whichever form that comes', async () => {
    const queue = await newQueue(world(), principal, rolling);
    const operationId = newId();
    const first = await pushPacked(queue.id, given, operationId);
    const again = await pusher(world())(principal, queue.id, given, operationId);
    expect(again.event_ids).toEqual(first.event_ids);
    await expect(pushPacked(queue.id, given, operationId)).resolves.toEqual(first);
    expect(await stored()).toHaveLength(given.length);
  });

  it('leaves out what came before, and keeps the rest as it is', async () => {
    const queue = await newQueue(world(), principal, rolling);
    const [first] = await Promise.all([pusher(world())(principal, queue.id, given.slice(0, 1))]);
    const mixed = [...given, { id: 'deploy-2', text: 'twice' }, { text: 'last' }];
    const answer = await pushPacked(queue.id, mixed);
    expect(answer.event_ids[0]).toBe(first.event_ids[0]);
    expect(answer.event_ids[3]).toBe(answer.event_ids[2]);
    expect(answer.event_count).toBe(4);
    expect((await stored()).map((it) => it.event)).toEqual([...given, { text: 'last' }]);
  });

  it('is refused for a queue of another tenant', async () => {
    const queue = await newQueue(world(), somebody(), rolling);
    await expect(pushPacked(queue.id, given)).rejects.toMatchObject({ code: 'not_found' });
  });
});
