import { describe, expect, it } from '@jest/globals';
import { metricCatalogue } from '@stanza/contracts';
import { silentLogger } from '@stanza/runtime';
import { sharedByTests } from '@stanza/test-kit/shared';
import { newQueue, openWorld, pusher, rolling, somebody } from '../testing/world.ts';
import { closeBatches } from './close-batches.ts';
import { keepHouse } from './keep-house.ts';
import { measureBatches } from './measure-batches.ts';

describe('the metrics of queues', () => {
  const world = sharedByTests(openWorld);

  const overdue = async () =>
    (await world().metrics.gauge(metricCatalogue.queues.batchOverdue).get()).values[0]?.value;

  it('report for how long a batch is overdue, until it is closed', async () => {
    const principal = somebody();
    const queue = await newQueue(world(), principal, rolling);
    await pusher(world())(principal, queue.id, [{}]);
    const measure = measureBatches(world());
    await measure();
    expect(await overdue()).toBe(0);
    world().clock.passSeconds(24 * 3_600_000);
    await measure();
    expect(await overdue()).toBeGreaterThan(3_600);
    await closeBatches(world())();
    await measure();
    expect(await overdue()).toBe(0);
  });

  it('report the number of days with partitions', async () => {
    await keepHouse(world(), { STANZA_EVENT_DAYS: 30 }, silentLogger())();
    const { values } = await world().metrics.gauge(metricCatalogue.queues.partitionDaysAhead).get();
    expect(values[0]?.value).toBeGreaterThanOrEqual(7);
  });
});
