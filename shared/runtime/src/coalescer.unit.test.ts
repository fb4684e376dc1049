import { describe, expect, it } from '@jest/globals';
import { CodedError } from '@stanza/contracts';
import { coalesce } from './coalescer.ts';
import { createMetrics } from './observability/metrics.ts';

interface Batch {
  key: string;
  items: string[];
  answer: (results?: string[]) => void;
  fail: (error: unknown) => void;
}

/** A coalescer whose batches are answered by the test. */
const byHand = (maxBatch = 100) => {
  const batches: Batch[] = [];
  const ask = coalesce({
    name: 'test',
    maxBatch,
    key: (item: string) => item.slice(0, 1),
    run: (items, key) =>
      new Promise<string[]>((resolve, reject) => {
        const answer = (results = items.map((item) => item.toUpperCase())) => resolve(results);
        batches.push({ key, items, answer, fail: reject });
      }),
  });
  return { ask, batches };
};

/** Runs all pending promise callbacks. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('coalesce', () => {
  it('sends items of one turn in one batch', async () => {
    const { ask, batches } = byHand();
    const answers = Promise.all([ask('a1'), ask('a2'), ask('a3')]);
    await settle();
    expect(batches.map((it) => it.items)).toEqual([['a1', 'a2', 'a3']]);
    batches[0]?.answer();
    expect(await answers).toEqual(['A1', 'A2', 'A3']);
  });

  it('gathers the next batch while one is in flight, and adds nothing to that one', async () => {
    const { ask, batches } = byHand();
    const first = ask('a1');
    await settle();
    const later = Promise.all([ask('a2'), ask('a3')]);
    await settle();
    expect(batches).toHaveLength(1);
    batches[0]?.answer();
    expect(await first).toBe('A1');
    await settle();
    expect(batches[1]?.items).toEqual(['a2', 'a3']);
    batches[1]?.answer();
    expect(await later).toEqual(['A2', 'A3']);
  });

  it('runs batches of different keys side by side', async () => {
    const { ask, batches } = byHand();
    const answers = Promise.all([ask('a1'), ask('b1')]);
    await settle();
    expect(batches.map((it) => it.key)).toEqual(['a', 'b']);
    for (const batch of batches) batch.answer();
    await answers;
  });

  it('limits the size of a batch', async () => {
    const { ask, batches } = byHand(2);
    const answers = Promise.all(['a1', 'a2', 'a3'].map(ask));
    await settle();
    batches[0]?.answer();
    await settle();
    batches[1]?.answer();
    expect(await answers).toEqual(['A1', 'A2', 'A3']);
    expect(batches.map((it) => it.items.length)).toEqual([2, 1]);
  });

  describe('told to gather', () => {
    const gathering = (maxBatch = 100) => {
      const sizes: number[] = [];
      const waits: (() => void)[] = [];
      const ask = coalesce({
        name: 'test',
        maxBatch,
        key: () => 'all',
        gatherMs: 4,
        wait: (milliseconds) => {
          expect(milliseconds).toBe(4);
          return new Promise<void>((resolve) => waits.push(resolve));
        },
        run: async (items: string[]) => {
          sizes.push(items.length);
          return items;
        },
      });
      return { ask, sizes, waits };
    };

    it('gathers for a moment after a batch of several', async () => {
      const { ask, sizes, waits } = gathering();
      await Promise.all([ask('one'), ask('two')]);
      const again = [ask('one')];
      await settle();
      again.push(ask('two'));
      await settle();
      expect(sizes).toEqual([2]);
      waits[0]?.();
      await Promise.all(again);
      expect(sizes).toEqual([2, 2]);
    });

    it('delays neither a single item nor a full batch', async () => {
      const alone = gathering();
      await alone.ask('one');
      await alone.ask('one');
      expect(alone.waits).toHaveLength(0);
      const full = gathering(2);
      await Promise.all(['one', 'two', 'three', 'four'].map(full.ask));
      expect(full.sizes).toEqual([2, 2]);
    });
  });

  describe('told when a batch is whole', () => {
    const untilEnd = (maxBatch = 100) => {
      const batches: string[][] = [];
      const waits: (() => void)[] = [];
      const ask = coalesce({
        name: 'test',
        maxBatch,
        key: () => 'all',
        gatherMs: 4,
        isLast: (item) => item === 'end',
        wait: () => new Promise<void>((resolve) => waits.push(resolve)),
        run: async (items: string[]) => {
          batches.push(items);
          return items;
        },
      });
      return { ask, batches, waits };
    };

    it('gathers until it is, also when it began with a single item', async () => {
      const { ask, batches } = untilEnd();
      const answers = [ask('one')];
      await settle();
      answers.push(ask('two'));
      await settle();
      expect(batches).toEqual([]);
      answers.push(ask('end'));
      await Promise.all(answers);
      expect(batches).toEqual([['one', 'two', 'end']]);
    });

    it('gathers no longer than it was told', async () => {
      const { ask, batches, waits } = untilEnd();
      const one = ask('one');
      await settle();
      waits[0]?.();
      await one;
      const two = ask('two');
      await settle();
      waits[1]?.();
      await two;
      expect(batches).toEqual([['one'], ['two']]);
    });

    it('runs a whole or full batch without a wait', async () => {
      const whole = untilEnd();
      await Promise.all([whole.ask('one'), whole.ask('end')]);
      const full = untilEnd(2);
      await Promise.all(['one', 'two', 'three', 'four'].map(full.ask));
      expect([whole.batches, full.batches]).toEqual([
        [['one', 'end']],
        [
          ['one', 'two'],
          ['three', 'four'],
        ],
      ]);
      expect([...whole.waits, ...full.waits]).toEqual([]);
    });
  });

  it('retries a failed batch item by item, so that only the bad item fails', async () => {
    const ask = coalesce({
      name: 'test',
      maxBatch: 10,
      key: () => '',
      run: async (items: number[]) => {
        if (items.includes(13)) throw new RangeError('unlucky');
        return items.map((item) => item * 2);
      },
    });
    const answers = await Promise.allSettled([ask(1), ask(13), ask(3)]);
    expect(answers.map((it) => (it.status === 'fulfilled' ? it.value : String(it.reason)))).toEqual([
      2,
      'RangeError: unlucky',
      6,
    ]);
  });

  it('fails the whole batch at once in an outage, which is no item’s fault', async () => {
    const { ask, batches } = byHand();
    const answers = Promise.allSettled([ask('a1'), ask('a2')]);
    await settle();
    batches[0]?.fail(new CodedError('service_unavailable'));
    expect((await answers).map((it) => it.status)).toEqual(['rejected', 'rejected']);
    expect(batches).toHaveLength(1);
  });

  it('treats a wrong number of results as a failure', async () => {
    const { ask, batches } = byHand();
    const answer = ask('a1');
    await settle();
    batches[0]?.answer([]);
    await expect(answer).rejects.toThrow('0 results for 1 items');
  });

  it('starts again after it was idle', async () => {
    const { ask, batches } = byHand();
    for (const round of [0, 1]) {
      const answer = ask('a1');
      await settle();
      batches[round]?.answer();
      expect(await answer).toBe('A1');
    }
  });

  it('reports the size of its batches', async () => {
    const metrics = createMetrics({ service: 'test', processMetrics: false });
    const ask = coalesce({
      name: 'sizes',
      maxBatch: 10,
      metrics,
      key: () => '',
      run: async (items: number[]) => items,
    });
    await Promise.all([ask(1), ask(2), ask(3)]);
    await settle();
    expect(await metrics.registry.metrics()).toContain(
      'stanza_batch_items_sum{service="test",batch="sizes"} 3',
    );
  });
});
