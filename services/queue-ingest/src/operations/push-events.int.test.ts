import { beforeEach, describe, expect, it } from '@jest/globals';
import { defaultTiers, type Principal } from '@stanza/contracts';
import { newContext, newId } from '@stanza/runtime';
import { SteppedClock } from '@stanza/test-kit/service-world';
import { sharedByTests } from '@stanza/test-kit/shared';
import { closeBatches } from '../jobs/close-batches.ts';
import { storedEvents } from '../testing/stored-events.ts';
import { ask, byThree, newQueue, openWorld, pusher, readBatch, rolling, somebody } from '../testing/world.ts';
import { pushEvents } from './push-events.ts';
import { updateQueue } from './update-queue.ts';

const events = (count: number, from = 0): object[] =>
  Array.from({ length: count }, (_, at) => ({ number: from + at }));

describe('push-events', () => {
  const world = sharedByTests(openWorld);
  let principal: Principal;

  beforeEach(() => {
    principal = somebody();
  });

  const push = (queueId: string, given: object[], operationId?: string) =>
    pusher(world())(principal, queueId, given, operationId);
  const batchesOf = (queueId: string) =>
    world().rows<{ id: string; status: string; close_reason: string | null; event_count: number }>(
      `select id, status, close_reason, event_count
       from batches
       where queue_id = $1
       order by opened_at, id`,
      [queueId],
    );
  const allStored = () => storedEvents(world(), principal.organization_id);
  const stored = async (batchId: string) =>
    (await allStored()).filter((it) => it.batch_id === batchId).map((it) => it.event.number);
  const announced = async (batchId: string) =>
    world().rows("select payload from outbox where payload ->> 'batch_id' = $1 order by id", [batchId]);

  it('answers the batch, the ids in order, and the size of the batch', async () => {
    const queue = await newQueue(world(), principal, rolling);
    const input = {
      params: { id: queue.id },
      query: undefined,
      body: { events: events(3).map((it) => ({ ...it })) },
    };
    const answer = await ask(pushEvents(world()), input, principal);
    expect(pushEvents(world()).operation.reply.parse(answer)).toEqual(answer);
    expect(answer).toMatchObject({ batch_status: 'collecting', event_count: 3 });
    expect(new Date(answer.window_end).getTime() - world().clock.now().getTime()).toBe(60_000);
    const read = await readBatch(world(), principal, { queueId: queue.id, batchId: answer.batch_id });
    expect(read.events.map((it) => it.id)).toEqual(answer.event_ids);
    expect(read.events.map((it) => it.event)).toEqual(events(3));
  });

  it('takes the id of the queue in upper case', async () => {
    const queue = await newQueue(world(), principal, rolling);
    const first = await push(queue.id, [{ id: 'one' }]);
    const again = await push(queue.id.toUpperCase(), [{ id: 'one' }, { id: 'two' }]);
    expect(again).toMatchObject({ batch_id: first.batch_id, event_count: 2 });
    expect(again.event_ids[0]).toBe(first.event_ids[0]);
  });

  it('keeps the content of every event unchanged', async () => {
    const queue = await newQueue(world(), principal, rolling);
    const given = [
      { text: 'a "quoted" \\\\ backslash, {braces}, [brackets], \\n and \n' },
      { '': null, nested: [[], {}, [{ deep: [true, false, 0.1, -1e-7, 123456789012345680000] }]] },
      { text: '👩‍👩‍👧 \u2028 ½ $1 :name; -- \u001b' },
    ];
    await push(queue.id, given);
    expect((await allStored()).map((it) => it.event)).toEqual(given);
  });

  it('extends the window and appends to the same batch', async () => {
    const queue = await newQueue(world(), principal, rolling);
    const first = await push(queue.id, events(2));
    world().clock.passSeconds(30);
    const second = await push(queue.id, events(2, 2));
    expect(second).toMatchObject({ batch_id: first.batch_id, event_count: 4 });
    expect(second.window_end.getTime() - first.window_end.getTime()).toBe(30_000);
    expect(await stored(first.batch_id)).toEqual([0, 1, 2, 3]);
  });

  it('marks the batch ready at the threshold, hands it over once, and begins the next', async () => {
    const queue = await newQueue(world(), principal, byThree);
    const first = await push(queue.id, events(2));
    const second = await push(queue.id, events(2, 2));
    const third = await push(queue.id, events(1, 4));
    expect([first, second, third].map((it) => it.batch_status)).toEqual([
      'collecting',
      'ready',
      'collecting',
    ]);
    expect(third.batch_id).not.toBe(second.batch_id);
    expect(await announced(second.batch_id)).toHaveLength(1);
    expect(await announced(third.batch_id)).toHaveLength(0);
  });

  it('makes one ready batch and one new one from pushes racing over the threshold', async () => {
    const queue = await newQueue(world(), principal, { ...byThree, threshold: 10 });
    const replicas = [pusher(world()), pusher(world())];
    await Promise.all(
      Array.from({ length: 12 }, (_, at) => replicas[at % 2]?.(principal, queue.id, events(1, at))),
    );
    const batches = await batchesOf(queue.id);
    expect(batches.map((it) => [it.status, it.close_reason, it.event_count])).toEqual([
      ['ready', 'threshold', 10],
      ['collecting', null, 2],
    ]);
  });

  it('closes a batch without room, and puts the whole push into the next', async () => {
    const queue = await newQueue(world(), principal, rolling);
    for (let at = 0; at < 9; at += 1) await push(queue.id, events(100));
    await push(queue.id, events(60));
    const last = await push(queue.id, events(50));
    expect(last.event_count).toBe(50);
    expect((await batchesOf(queue.id)).map((it) => [it.close_reason, it.event_count])).toEqual([
      ['size', 960],
      [null, 50],
    ]);
  });

  it('closes an overdue batch by itself, before the closing job runs', async () => {
    const queue = await newQueue(world(), principal, rolling);
    const first = await push(queue.id, events(1));
    world().clock.passSeconds(61);
    const second = await push(queue.id, events(1));
    expect(second.batch_id).not.toBe(first.batch_id);
    expect((await batchesOf(queue.id)).map((it) => it.close_reason)).toEqual(['window_elapsed', null]);
    expect(await announced(first.batch_id)).toHaveLength(1);
  });

  describe('with event ids', () => {
    it('answers the first id for a repeat within a day, without adding or counting it', async () => {
      const queue = await newQueue(world(), principal, rolling);
      const first = await push(queue.id, [{ id: 'a' }, { id: 'b' }]);
      const second = await push(queue.id, [{ id: 'c' }, { id: 'a' }, { id: 'c' }]);
      expect(second.event_ids).toEqual([second.event_ids[0], first.event_ids[0], second.event_ids[0]]);
      expect(second.event_count).toBe(3);
      const [day] = await world().rows<{ events: number }>(
        'select events from daily_events where organization_id = $1',
        [principal.organization_id],
      );
      expect(day?.events).toBe(3);
    });

    it('adds every event whose id is empty, since an empty text names none', async () => {
      const queue = await newQueue(world(), principal, rolling);
      await push(queue.id, [{ id: '', at: 1 }]);
      expect(await push(queue.id, [{ id: '', at: 2 }])).toMatchObject({ event_count: 2 });
    });

    it('answers the batch of the first event when a push consists of repeats', async () => {
      const queue = await newQueue(world(), principal, byThree);
      const first = await push(queue.id, [{ id: 'a' }, { id: 'b' }, { id: 'c' }]);
      const again = await push(queue.id, [{ id: 'b' }]);
      expect(again).toEqual({ ...first, event_ids: [first.event_ids[1]] });
      expect(await batchesOf(queue.id)).toHaveLength(1);
    });

    it('answers repeats when the day is full, also by a lowered limit, for they add nothing', async () => {
      const queue = await newQueue(world(), principal, rolling);
      const first = await push(queue.id, [{ id: 'a' }, { id: 'b' }]);
      for (const events_per_day of [2, 1]) {
        world().tierOf.set(principal.organization_id, { ...defaultTiers.pro, events_per_day });
        expect(await push(queue.id, [{ id: 'a' }, { id: 'b' }])).toEqual(first);
        await expect(push(queue.id, [{ id: 'c' }])).rejects.toMatchObject({ code: 'tier_limit' });
      }
    });

    it('treats the id as new after a day', async () => {
      const queue = await newQueue(world(), principal, rolling);
      const first = await push(queue.id, [{ id: 'a' }]);
      world().clock.passSeconds(24 * 3_600);
      const later = await push(queue.id, [{ id: 'a' }]);
      expect(later.event_ids).not.toEqual(first.event_ids);
    });

    it('keeps the ids of two queues apart', async () => {
      const [one, two] = [
        await newQueue(world(), principal, rolling),
        await newQueue(world(), principal, rolling),
      ];
      const first = await push(one.id, [{ id: 'a' }]);
      expect((await push(two.id, [{ id: 'a' }])).event_ids).not.toEqual(first.event_ids);
    });

    it('stores one of many repeats racing through two replicas', async () => {
      const queue = await newQueue(world(), principal, rolling);
      const replicas = [pusher(world()), pusher(world())];
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, at) => replicas[at % 2]?.(principal, queue.id, [{ id: 'same' }])),
      );
      expect(new Set(answers.flatMap((it) => it?.event_ids)).size).toBe(1);
      expect((await batchesOf(queue.id)).map((it) => it.event_count)).toEqual([1]);
    });
  });

  it('repeats the answer of the same operation, and adds nothing', async () => {
    const queue = await newQueue(world(), principal, rolling);
    const operationId = newId();
    const first = await push(queue.id, events(2), operationId);
    await push(queue.id, events(1));
    expect(await push(queue.id, events(2), operationId)).toEqual(first);
    const both = await Promise.all(
      [pusher(world()), pusher(world())].map((it) => it(principal, queue.id, events(1), operationId)),
    );
    expect(both).toEqual([first, first]);
    expect((await batchesOf(queue.id)).map((it) => it.event_count)).toEqual([3]);
  });

  it("accepts events exactly up to the tier's daily limit under concurrency, and refuses pushes as a whole", async () => {
    world().tierOf.set(principal.organization_id, { ...defaultTiers.pro, events_per_day: 50 });
    const queues = await Promise.all(Array.from({ length: 3 }, () => newQueue(world(), principal, rolling)));
    const replicas = [pusher(world()), pusher(world())];
    const answers = await Promise.allSettled(
      Array.from({ length: 30 }, (_, at) =>
        replicas[at % 2]?.(principal, queues[at % 3]?.id ?? '', events(4)),
      ),
    );
    expect(answers.filter((it) => it.status === 'fulfilled')).toHaveLength(12);
    expect(await allStored()).toHaveLength(48);
    await expect(push(queues[0]?.id ?? '', events(3))).rejects.toMatchObject({ code: 'tier_limit' });
    await push(queues[0]?.id ?? '', events(2));
  });

  it('answers the seconds until the next day, by the clock of the database', async () => {
    world().tierOf.set(principal.organization_id, { ...defaultTiers.pro, events_per_day: 1 });
    const queue = await newQueue(world(), principal, rolling);
    const input = { params: { id: queue.id }, query: undefined, body: { events: [{}, {}] } };
    const now = world().clock.now();
    const midnight = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1);
    const ahead = new SteppedClock();
    ahead.pass(3_600);
    const replica = { ...world(), clock: ahead };
    await expect(ask(pushEvents(replica), input, principal)).rejects.toMatchObject({
      code: 'tier_limit',
      facts: { retry_after: Math.ceil((midnight - now.getTime()) / 1_000) },
    });
  });

  it('refuses an unknown queue and those of other tenants alike, and an inactive one', async () => {
    const queue = await newQueue(world(), principal, rolling);
    const strangers = [somebody(), { ...principal, environment: 'preview' as const }];
    for (const stranger of strangers) {
      await expect(pusher(world())(stranger, queue.id, events(1))).rejects.toMatchObject({
        code: 'not_found',
      });
    }
    await expect(push(newId(), events(1))).rejects.toMatchObject({ code: 'not_found' });
    const off = { params: { id: queue.id }, query: undefined, body: { is_active: false } };
    await ask(updateQueue(world()), off, principal, newContext({ deadlineMs: 5_000, principal }));
    await expect(push(queue.id, events(1))).rejects.toMatchObject({ code: 'invalid_state' });
    expect(await batchesOf(queue.id)).toEqual([]);
  });

  it('accepts concurrent pushes to one and many queues, each once and in order', async () => {
    const queues = await Promise.all(Array.from({ length: 10 }, () => newQueue(world(), principal, rolling)));
    const replicas = [pusher(world()), pusher(world())];
    const close = closeBatches(world());
    const pushes = Array.from({ length: 64 }, async (_, at) => {
      const queue = at % 2 === 0 ? queues[0] : queues[at % 10];
      const answer = await replicas[at % 2]?.(principal, queue?.id ?? '', events(100, at * 100));
      if (at % 8 === 0) await close();
      return answer;
    });
    const answers = await Promise.all(pushes);
    const rows = await allStored();
    expect(rows).toHaveLength(6_400);
    const numbers = new Map(rows.map((it) => [it.id, it.event.number]));
    for (const [at, answer] of answers.entries()) {
      expect(answer?.event_ids.map((id) => numbers.get(id))).toEqual(
        Array.from({ length: 100 }, (_, event) => at * 100 + event),
      );
    }
    const counts = await world().rows<{ id: string; event_count: number }>(
      'select id, event_count from batches where organization_id = $1',
      [principal.organization_id],
    );
    for (const { id, event_count } of counts)
      expect(rows.filter((it) => it.batch_id === id)).toHaveLength(event_count);
  });
});
