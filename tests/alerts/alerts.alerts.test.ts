import { availableParallelism, loadavg } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SteadyLoad } from '../kit/steady-load.ts';
import { waitFor } from '../kit/wait.ts';
import { type Around, startAround } from './around.ts';
import type { Group, Mend } from './cause.ts';
import { groups } from './process-causes.ts';
import type { Fired } from './prometheus.ts';

/** An hour, as the rules see it. */
const hourMs = 60_000;

/** Those causes whose name has this in it; all, and the quiet hours, unless given. */
const wanted = new RegExp(process.env.ALERTS_CAUSES ?? '');
const isWhole = process.env.ALERTS_CAUSES === undefined;

const pagesOf = (fired: readonly Fired[]): string[] =>
  fired.filter(({ severity }) => severity === 'page').map(({ alert }) => alert);

/** Those that tell of slow processors are right where the machine has other work. */
const ofSlowness = () =>
  (loadavg()[0] ?? 0) > 1.5 * availableParallelism() ? ['CompileLatency', 'EventLoopLag'] : [];

describe('the alerts, under a Prometheus for which an hour takes a minute', () => {
  let around: Around;
  let load: SteadyLoad;

  beforeAll(async () => {
    around = await startAround();
    load = new SteadyLoad(around.kinds, around.connect);
  });
  afterAll(async () => {
    await load?.stop();
    await around?.close();
  });

  /** What fired since a moment. */
  const firedSince = (moment: number) => around.prometheus.fired((performance.now() - moment) / 1_000);

  /** The same, but for those. */
  const firedBesides = async (moment: number, meant: readonly string[] = []) => {
    const known = [...meant, ...ofSlowness()];
    return (await firedSince(moment)).filter(({ alert }) => !known.includes(alert));
  };

  (isWhole ? it : it.skip)('are silent in an hour of ordinary work', async () => {
    // Partitions that a lock kept back at the start are made within a minute, which no rule shortens.
    await waitFor('partitions to be made', () =>
      around.prometheus.holds(
        '(min(stanza_event_partition_days_ahead) >= 3) unless on () ALERTS{alertname="EventPartitionMissing"}',
      ),
    );
    const begun = performance.now();
    await waitFor('an hour to pass', () => performance.now() - begun > hourMs);
    expect(await firedBesides(begun)).toEqual([]);
  });

  (isWhole ? it : it.skip)('are silent while every process is restarted, one after the other', async () => {
    const begun = performance.now();
    const { stack } = around.cluster;
    for (const name of stack.processes.filter((it) => it !== 'sandbox')) {
      await stack.process(name).stop();
      await stack.process(name).start();
      const { count } = load;
      await waitFor('requests to pass', () => load.count > count + 10);
    }
    // A restart does not take five minutes; here its five seconds are as long.
    expect(await firedBesides(begun, ['InstanceDown'])).toEqual([]);
  });

  /** Waits until all of them have fired, and names those that do not. */
  const seeFire = async (alerts: readonly string[], begun: number): Promise<void> => {
    let missing = alerts;
    await waitFor('alerts', async () => {
      const fired = (await firedSince(begun)).map(({ alert }) => alert);
      missing = alerts.filter((it) => !fired.includes(it));
      return missing.length === 0;
    }).catch(() => undefined);
    expect(missing).toEqual([]);
  };

  /** Waits until none of them fires, but for the tickets of objectives, which last for days. */
  const seeResolve = async (alerts: readonly string[]): Promise<void> => {
    let left: readonly string[] = alerts;
    const objectives = ['ApiAvailability', 'CompileLatency', 'MessageDelivery', 'QueueClosing'];
    await waitFor('alerts to resolve', async () => {
      const firing = await around.prometheus.firing();
      left = firing
        .filter((it) => alerts.includes(it.alert))
        .filter((it) => it.severity === 'page' || !objectives.includes(it.alert))
        .map((it) => it.alert);
      return left.length === 0;
    }).catch(() => undefined);
    expect(left).toEqual([]);
  };

  it.each(Object.entries(groups).filter(([name]) => wanted.test(name)))(
    'fire for %s, and no other page does',
    async (_, group: Group) => {
      const before = pagesOf(await around.prometheus.firing());
      const begun = performance.now();
      const alerts = [...new Set(group.flatMap((it) => it.alerts))];
      const mends: Mend[] = [];
      try {
        for (const cause of group) mends.push(await cause.begin(around));
        await seeFire(alerts, begun);
      } finally {
        for (const mend of mends) await mend();
      }
      await around.cluster.stack.whenReady();
      await seeResolve(alerts);
      const meant = [...before, ...alerts, ...group.flatMap((it) => it.consequences ?? [])];
      expect(pagesOf(await firedBesides(begun, meant))).toEqual([]);
    },
  );
});
