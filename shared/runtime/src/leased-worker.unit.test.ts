import { describe, expect, it } from '@jest/globals';
import { LeasedWorker, LostLease } from './leased-worker.ts';
import { createLogger } from './observability/log.ts';
import { createMetrics } from './observability/metrics.ts';
import { noTracing } from './observability/tracing.ts';

interface Options {
  places: number;
  claimedAtOnce?: number;
  /** Jobs in flight that the claim allows. */
  share?: number;
}

/** Jobs that are due, each of which runs until the test ends it. */
const openWork = (due: number[], { share: most, ...options }: Options) => {
  const lines: string[] = [];
  const log = createLogger({
    name: 'delivery',
    level: 'trace',
    destination: { write: (line: string) => void lines.push(line) },
  });
  const running = new Map<number, PromiseWithResolvers<void>>();
  const claims: { room: number; underWay: readonly number[] }[] = [];
  const failing: Error[] = [];
  /** What holds up the answers of claims, which have counted before. */
  const answer = { held: Promise.resolve() };
  const metrics = createMetrics({ service: 'delivery', processMetrics: false });
  const worker = new LeasedWorker<{ n: number; traceparent: string | null }>(
    { log, tracing: noTracing },
    {
      ...options,
      name: 'count',
      share: { kind: 'deferred_sends', metrics, organizationOf: ({ n }) => (n < 3 ? 'acme' : 'other') },
      claim: async (room, underWay) => {
        claims.push({ room, underWay: underWay.map(({ n }) => n) });
        const failure = failing.shift();
        if (failure) throw failure;
        const share = most === undefined ? room : most - underWay.length;
        const claimed = due.splice(0, Math.min(room, share)).map((n) => ({ n, traceparent: null }));
        await answer.held;
        return claimed;
      },
      run: ({ n }) => {
        const ended = Promise.withResolvers<void>();
        running.set(n, ended);
        return ended.promise;
      },
      attributes: () => ({}),
      facts: ({ n }) => ({ attempt: n }),
    },
  );
  const logged = (): string => lines.join('');
  return { worker, running, claims, failing, answer, logged, metrics };
};

/** Runs all pending callbacks. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('a worker of leased rows', () => {
  it('claims as many jobs as it has room for, and passes those in flight to the claim', async () => {
    const { worker, running, claims } = openWork([1, 2, 3, 4, 5], { places: 3, claimedAtOnce: 2 });
    await worker.begin();
    expect([...running.keys()]).toEqual([1, 2, 3]);
    expect(claims).toEqual([
      { room: 2, underWay: [] },
      { room: 1, underWay: [1, 2] },
    ]);
  });

  it('shows the places that organizations hold, and what waited for one', async () => {
    const { worker, running, metrics } = openWork([1, 2, 3, 4], { places: 3 });
    await worker.begin();
    const page = await metrics.registry.metrics();
    expect(page).toContain('stanza_share_slots{kind="deferred_sends",of="held",service="delivery"} 3');
    expect(page).toContain('stanza_share_slots{kind="deferred_sends",of="largest",service="delivery"} 2');
    expect(page).toContain('stanza_share_waited_total{kind="deferred_sends",service="delivery"} 0');
    running.get(1)?.resolve();
    await settle();
    expect(await metrics.registry.metrics()).toContain(
      'stanza_share_waited_total{kind="deferred_sends",service="delivery"} 1',
    );
  });

  it('claims another job as soon as one has ended, while more are due', async () => {
    const { worker, running, claims } = openWork([1, 2, 3], { places: 2 });
    await worker.begin();
    running.get(1)?.resolve();
    await settle();
    expect([...running.keys()]).toEqual([1, 2, 3]);
    running.get(2)?.resolve();
    running.get(3)?.resolve();
    await worker.settled();
    const looks = claims.length;
    await settle();
    expect(claims).toHaveLength(looks);
  });

  it('claims another job as soon as one has ended, also when a claim fills a part of the room alone', async () => {
    const { worker, running, claims } = openWork([1, 2, 3], { places: 4, share: 2 });
    await worker.begin();
    expect([...running.keys()]).toEqual([1, 2]);
    expect(claims).toHaveLength(1);
    running.get(1)?.resolve();
    await settle();
    expect([...running.keys()]).toEqual([1, 2, 3]);
  });

  it('claims another job as soon as one has ended, also after a claim that found its share full', async () => {
    const { worker, running } = openWork([1, 2, 3], { places: 4, share: 2 });
    await worker.begin();
    await worker.begin();
    running.get(1)?.resolve();
    await settle();
    expect([...running.keys()]).toEqual([1, 2, 3]);
  });

  it('claims again for the place of a job that ended during a claim', async () => {
    const { worker, running, claims } = openWork([1, 2, 3], { places: 2 });
    await worker.begin();
    running.get(1)?.resolve();
    running.get(2)?.resolve();
    await settle();
    running.get(3)?.resolve();
    await worker.settled();
    expect(claims.at(-1)).toEqual({ room: 2, underWay: [] });
  });

  it('claims again after a claim that found its share full, and during which the last job in flight ended', async () => {
    const { worker, running, answer } = openWork([1, 2, 3], { places: 4, share: 2 });
    await worker.begin();
    const claim = Promise.withResolvers<void>();
    answer.held = claim.promise;
    const begun = worker.begin();
    running.get(1)?.resolve();
    running.get(2)?.resolve();
    await settle();
    expect(worker.underWay).toEqual([]);
    claim.resolve();
    await begun;
    await settle();
    expect([...running.keys()]).toEqual([1, 2, 3]);
  });

  it('claims once for two concurrent calls', async () => {
    const { worker, claims } = openWork([], { places: 2 });
    await Promise.all([worker.begin(), worker.begin()]);
    expect(claims).toHaveLength(1);
  });

  it('leaves a job whose lease is lost, and one that failed, and continues', async () => {
    const { worker, running, logged } = openWork([1, 2, 3], { places: 2 });
    await worker.begin();
    running.get(1)?.reject(new LostLease());
    running.get(2)?.reject(new Error('broken'));
    await settle();
    running.get(3)?.resolve();
    await worker.settled();
    expect(logged()).toContain('a job was released: another process has its lease');
    expect(logged()).toContain('broken');
  });

  it('rejects a requested claim that fails, and logs the failure of its own', async () => {
    const { worker, running, failing, logged } = openWork([1, 2], { places: 1 });
    failing.push(new Error('the database is away'));
    await expect(worker.begin()).rejects.toThrow('the database is away');
    await worker.begin();
    failing.push(new Error('away again'));
    running.get(1)?.resolve();
    await settle();
    expect(logged()).toContain('away again');
    await worker.begin();
    expect([...running.keys()]).toEqual([1, 2]);
  });

  it('starts nothing after it was closed, and waits for jobs in flight', async () => {
    const { worker, running } = openWork([1, 2], { places: 1 });
    await worker.begin();
    const closed = worker.close();
    running.get(1)?.resolve();
    await closed;
    await worker.begin();
    expect([...running.keys()]).toEqual([1]);
  });

  it('leaves the remaining jobs to their leases when it is closed with little patience', async () => {
    const { worker, running } = openWork([1], { places: 1 });
    await worker.begin();
    await worker.close(0);
    expect(running.size).toBe(1);
  });
});
