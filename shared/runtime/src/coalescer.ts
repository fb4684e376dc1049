import { setTimeout as pause } from 'node:timers/promises';
import { metricCatalogue } from '@stanza/contracts';
import { currentReach, jointReach, type Reach, withReach } from './database/reach.ts';
import type { Metrics } from './observability/metrics.ts';
import { isUnavailable } from './outage.ts';

/** How small calls are merged into batches. */
export interface CoalesceOptions<In, Out> {
  /** Label of the metrics. */
  name: string;
  /** Items of one key share batches; batches of different keys run in parallel. */
  key: (item: In) => string;
  /** Returns one result for each item, in the order of the items. */
  run: (items: In[], key: string) => Promise<Out[]>;
  /** Maximum number of items in a batch. */
  maxBatch: number;
  /**
   * Milliseconds for which the next batch gathers after a batch of several items; 0 unless given. Under load, callers
   * that are answered together ask again together, and one call for all of them costs little more than for a few. A
   * single item never waits.
   */
  gatherMs?: number;
  /**
   * True of an item once none of the callers is going to ask soon. Given, each batch gathers before it runs, a single
   * item too, for `gatherMs` or until this holds.
   */
  isLast?: (item: In) => boolean;
  metrics?: Metrics;
  /** Waits; replaced by tests that control time. */
  wait?: (milliseconds: number) => Promise<unknown>;
}

interface Waiting<In, Out> {
  item: In;
  /** The reach of the caller; a batch has the joint reach of its callers. */
  reach: Reach;
  resolve: (result: Out) => void;
  reject: (reason: unknown) => void;
}

interface Lane<In, Out> {
  waiting: Waiting<In, Out>[];
  /** Ends the gathering of the next batch. */
  wake?: () => void;
}

const instruments = (name: string, metrics: Metrics | undefined) => {
  const { batchItems, batchSeconds, batchSplit } = metricCatalogue.runtime;
  const sizes = metrics?.histogram(batchItems);
  const durations = metrics?.histogram(batchSeconds);
  const split = metrics?.counter(batchSplit);
  return {
    ran: (items: number, started: number) => {
      sizes?.observe({ batch: name }, items);
      durations?.observe({ batch: name }, (performance.now() - started) / 1_000);
    },
    split: () => split?.inc({ batch: name }),
  };
};

/**
 * Merges calls into batches: while a batch of a key is in flight, the next gathers. An item joins only a batch that is
 * sent after it arrived, so no answer is older than its question. A failed batch is retried item by item, so a bad item
 * fails alone; `run` must therefore leave nothing behind when it rejects.
 */
export const coalesce = <In, Out>(options: CoalesceOptions<In, Out>): ((item: In) => Promise<Out>) => {
  const { maxBatch, gatherMs = 0, isLast, wait = pause } = options;
  const lanes = new Map<string, Lane<In, Out>>();
  const observed = instruments(options.name, options.metrics);

  const runOne = async ({ item, reach, resolve, reject }: Waiting<In, Out>, key: string): Promise<void> => {
    const started = performance.now();
    try {
      const results = await withReach(reach, () => options.run([item], key));
      resolve(onlyResult(results, options.name));
    } catch (err) {
      reject(err);
    } finally {
      observed.ran(1, started);
    }
  };

  const runBatch = async (batch: Waiting<In, Out>[], key: string): Promise<void> => {
    const [first] = batch;
    if (first && batch.length === 1) return runOne(first, key);
    const started = performance.now();
    let results: Out[];
    try {
      const reach = jointReach(batch.map((it) => it.reach));
      const items = batch.map((it) => it.item);
      results = await withReach(reach, () => options.run(items, key));
      if (results.length !== batch.length) throw wrongCount(options.name, results.length, batch.length);
    } catch (err) {
      if (isUnavailable(err)) {
        for (const { reject } of batch) reject(err);
        return;
      }
      // The error is not lost: the item at fault gets it in its own run.
      observed.split();
      for (const one of batch) await runOne(one, key);
      return;
    } finally {
      observed.ran(batch.length, started);
    }
    for (const [index, result] of results.entries()) batch[index]?.resolve(result);
  };

  /** Waits until the next batch is whole, unless that takes too long. */
  const gather = async (lane: Lane<In, Out>): Promise<void> => {
    const { waiting } = lane;
    if (!isLast || waiting.length >= maxBatch || waiting.some(({ item }) => isLast(item))) return;
    const whole = new Promise<void>((resolve) => {
      lane.wake = resolve;
    });
    await Promise.race([whole, wait(gatherMs)]);
    delete lane.wake;
  };

  const work = async (lane: Lane<In, Out>, key: string): Promise<void> => {
    // The caller's turn ends first, so items requested in one turn share a batch.
    await Promise.resolve();
    while (lane.waiting.length > 0) {
      await gather(lane);
      const batch = lane.waiting.splice(0, maxBatch);
      await runBatch(batch, key);
      if (gatherMs > 0 && isLast === undefined && batch.length > 1 && lane.waiting.length < maxBatch)
        await wait(gatherMs);
    }
    lanes.delete(key);
  };

  return (item) =>
    new Promise((resolve, reject) => {
      const key = options.key(item);
      const reach = currentReach();
      const lane = lanes.get(key);
      if (lane) {
        lane.waiting.push({ item, reach, resolve, reject });
        if (lane.wake && (lane.waiting.length >= maxBatch || isLast?.(item))) lane.wake();
        return;
      }
      const opened: Lane<In, Out> = { waiting: [{ item, reach, resolve, reject }] };
      lanes.set(key, opened);
      void work(opened, key);
    });
};

const wrongCount = (name: string, got: number, wanted: number): Error =>
  new TypeError(`the batch ${name} returned ${got} results for ${wanted} items`);

const onlyResult = <Out>(results: Out[], name: string): Out => {
  if (results.length === 1) for (const result of results) return result;
  throw wrongCount(name, results.length, 1);
};
