import { describe, expect, it } from '@jest/globals';
import { newId } from '@stanza/runtime';
import { cases } from '@stanza/test-kit/cases';
import { sharedByTests } from '@stanza/test-kit/shared';
import fc from 'fast-check';
import { closeBatches } from './jobs/close-batches.ts';
import { flushQueue } from './operations/flush-queue.ts';
import { updateQueue } from './operations/update-queue.ts';
import { Crash, crashingAfter } from './testing/crashing-database.ts';
import { storeByEvent, storedEvents } from './testing/stored-events.ts';
import {
  ask,
  byThree,
  dependenciesOn,
  newQueue,
  openWorld,
  pusher,
  rolling,
  somebody,
  type World,
} from './testing/world.ts';

/**
 * Pushes, closings and changes in any order; `crash` is the number of statements after which the process dies. After an
 * upgrade all events until then are stored as earlier releases have done.
 */
type Step =
  | { do: 'push'; queue: number; keys: (number | null)[]; crash: number | null; again: boolean }
  | { do: 'upgrade' }
  | { do: 'race'; queue: number; sizes: number[] }
  | { do: 'pass'; seconds: number }
  | { do: 'close'; crash: number | null }
  | { do: 'flush'; queue: number }
  | { do: 'change'; queue: number; figure: number };

const queue = fc.integer({ min: 0, max: 1 });
const crash = fc.option(fc.integer({ min: 0, max: 9 }), { freq: 2 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('push' as const),
      queue,
      // Events with one of a few ids, and events without.
      keys: fc.array(fc.option(fc.integer({ min: 0, max: 5 })), { minLength: 1, maxLength: 5 }),
      crash,
      again: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('race' as const),
      queue,
      sizes: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 2, maxLength: 5 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('pass' as const), seconds: fc.integer({ min: 1, max: 90 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('close' as const), crash }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('flush' as const), queue }) },
  { weight: 1, arbitrary: fc.constant({ do: 'upgrade' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('change' as const),
      queue,
      figure: fc.integer({ min: 2, max: 6 }),
    }),
  },
);

interface Accepted {
  queue: number;
  numbers: number[];
  ids: string[];
}

interface StoredEvent {
  id: string;
  batch_id: string;
  queue_id: string;
  number: number;
  position: number;
}

/** One history: the pushes and answers of two queues of a new organization. */
class History {
  readonly #world: World;
  readonly #principal = somebody();
  readonly #queues: string[] = [];
  readonly accepted: Accepted[] = [];
  /** Numbers of events of unanswered pushes: each push is stored as a whole or not at all. */
  readonly unanswered: number[][] = [];
  #next = 0;

  constructor(world: World) {
    this.#world = world;
  }

  async begin(): Promise<void> {
    for (const policy of [rolling, byThree]) {
      this.#queues.push((await newQueue(this.#world, this.#principal, policy)).id);
    }
  }

  async do(one: Step): Promise<void> {
    switch (one.do) {
      case 'push':
        return this.#push(one);
      case 'race':
        await Promise.all(
          one.sizes.map((size) =>
            this.#push({
              do: 'push',
              queue: one.queue,
              keys: Array.from({ length: size }, () => null),
              crash: null,
              again: false,
            }),
          ),
        );
        return;
      case 'upgrade':
        return storeByEvent(this.#world, this.#principal.organization_id);
      case 'pass':
        return this.#world.clock.passSeconds(one.seconds);
      case 'close':
        return this.#close(one.crash);
      case 'flush':
        await ask(flushQueue(this.#world), this.#input(one.queue, undefined), this.#principal);
        return;
      case 'change': {
        const body = one.queue === 0 ? { window_seconds: one.figure * 10 } : { threshold: one.figure };
        await ask(updateQueue(this.#world), this.#input(one.queue, body), this.#principal);
        return;
      }
    }
  }

  /** Closes and reports all open batches. */
  async end(): Promise<void> {
    this.#world.clock.passSeconds(2 * 86_400);
    await this.#close(null);
  }

  async stored(): Promise<StoredEvent[]> {
    const { organization_id } = this.#principal;
    const queues = await this.#world.rows<{ id: string; queue_id: string }>(
      'select id, queue_id from batches where organization_id = $1',
      [organization_id],
    );
    const queueOf = new Map(queues.map((it) => [it.id, it.queue_id]));
    return (await storedEvents(this.#world, organization_id)).map(({ id, batch_id, position, event }) => ({
      id,
      batch_id,
      position,
      queue_id: queueOf.get(batch_id) ?? '',
      number: Number(event.number),
    }));
  }

  async batches(): Promise<{ id: string; status: string; event_count: number; handed: number }[]> {
    return this.#world.rows(
      `select id, status, event_count,
         (select count(*)
          from outbox
          where subject = 'work.delivery.deliver-batch' and payload ->> 'batch_id' = batches.id::text) as handed
       from batches
       where organization_id = $1`,
      [this.#principal.organization_id],
    );
  }

  queueId(index: number): string {
    return this.#queues[index] ?? '';
  }

  #input<B>(queue: number, body: B) {
    return { params: { id: this.queueId(queue) }, query: undefined, body };
  }

  async #push({ queue, keys, crash, again }: Extract<Step, { do: 'push' }>): Promise<void> {
    const numbers = keys.map(() => this.#next++);
    const events = keys.map((key, at) => ({
      number: numbers[at],
      ...(key === null ? {} : { id: `key-${key}` }),
    }));
    const operationId = newId();
    const push = (world: World) => pusher(world)(this.#principal, this.queueId(queue), events, operationId);
    const dying =
      crash === null ? this.#world : dependenciesOn(this.#world, crashingAfter(this.#world.database, crash));
    try {
      const { event_ids: ids } = await push(dying);
      this.accepted.push({ queue, numbers, ids });
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
      if (!again) return void this.unanswered.push(numbers);
      const { event_ids: ids } = await push(this.#world);
      this.accepted.push({ queue, numbers, ids });
    }
  }

  async #close(crash: number | null): Promise<void> {
    const dying =
      crash === null ? this.#world : dependenciesOn(this.#world, crashingAfter(this.#world.database, crash));
    try {
      await closeBatches(dying)();
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
    }
  }
}

const check = async (history: History): Promise<void> => {
  const stored = await history.stored();
  const byId = new Map(stored.map((it) => [it.id, it]));
  // Exactly once: no id and no number occurs twice.
  expect(byId.size).toBe(stored.length);
  expect(new Set(stored.map((it) => it.number)).size).toBe(stored.length);
  for (const { queue, ids } of history.accepted) {
    const found = ids.map((id) => byId.get(id));
    for (const event of found) expect(event?.queue_id).toBe(history.queueId(queue));
  }
  const numbers = new Set(stored.map((it) => it.number));
  for (const accepted of history.accepted) {
    // The events of a push are in one batch, in the order of the push.
    const added = stored.filter((it) => accepted.numbers.includes(it.number));
    expect(new Set(added.map((it) => it.batch_id)).size).toBeLessThanOrEqual(1);
    expect(added.map((it) => it.number)).toEqual(accepted.numbers.filter((it) => numbers.has(it)));
  }
  for (const batch of await history.batches()) {
    const events = stored.filter((it) => it.batch_id === batch.id);
    expect(events.map((it) => it.position)).toEqual(events.map((_, at) => at));
    expect(batch).toMatchObject({ status: 'ready', event_count: events.length, handed: 1 });
    expect(events.length).toBeGreaterThan(0);
  }
};

describe('any history of a queue', () => {
  const world = sharedByTests(openWorld);

  it('keeps every accepted event in exactly one batch, in order, and hands every batch over once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 30 }), async (steps) => {
        const history = new History(world());
        await history.begin();
        for (const one of steps) await history.do(one);
        await history.end();
        await check(history);
      }),
      { numRuns: cases(120, 10) },
    );
  });
});
