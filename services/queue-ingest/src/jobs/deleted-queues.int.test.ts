import { beforeEach, describe, expect, it } from '@jest/globals';
import { metricCatalogue, type Principal } from '@stanza/contracts';
import { silentLogger } from '@stanza/runtime';
import { runJob } from '@stanza/test-kit/service-world';
import { sharedByTests } from '@stanza/test-kit/shared';
import { deleteQueue } from '../operations/delete-queue.ts';
import { reportBatch } from '../operations/report-batch.ts';
import { ask, byThree, newQueue, openWorld, pusher, somebody } from '../testing/world.ts';
import { keepHouse } from './keep-house.ts';
import { measureBatches } from './measure-batches.ts';

const daySeconds = 86_400;

describe('what a deleted queue has left undelivered', () => {
  const world = sharedByTests(openWorld);
  let principal: Principal;

  beforeEach(() => {
    principal = somebody();
  });

  const house = () => keepHouse(world(), { STANZA_EVENT_DAYS: 30 }, silentLogger())();

  /** A batch of three events that was delivered without success. */
  const ended = async (queueId: string, status: 'failed' | 'unknown'): Promise<string> => {
    const { batch_id } = await pusher(world())(principal, queueId, [{}, {}, {}]);
    const [batch] = await world().rows<{ operation_id: string }>('select * from batches where id = $1', [
      batch_id,
    ]);
    const owner = { organization_id: principal.organization_id, environment: principal.environment };
    const error = status === 'failed' ? 'invalid_state' : 'delivery_outcome_unknown';
    const reported = { ...owner, batch_id, operation_id: batch?.operation_id ?? '', status, error } as const;
    await runJob(reportBatch(world()), reported);
    return batch_id;
  };

  const remove = (id: string) =>
    ask(deleteQueue(world()), { params: { id }, query: undefined, body: undefined }, principal);

  const counted = async (): Promise<Record<string, number>> => {
    await measureBatches(world())();
    const { values } = await world().metrics.gauge(metricCatalogue.queues.batches).get();
    return Object.fromEntries(values.map(({ labels, value }) => [labels.status, value]));
  };

  const left = async () =>
    (
      await world().rows<{ table: string }>(
        `select 'queues' as table from queues where organization_id = $1
         union all select 'queue_keys' from queue_keys where organization_id = $1
         union all select 'batches' from batches where organization_id = $1
         union all select 'event_pushes' from event_pushes where organization_id = $1
         order by 1`,
        [principal.organization_id],
      )
    ).map((it) => it.table);

  it('a batch of a deleted queue no longer counts as failed or unknown, since it cannot be retried', async () => {
    const before = await counted();
    const queue = await newQueue(world(), principal, byThree);
    await ended(queue.id, 'failed');
    await ended(queue.id, 'unknown');
    expect(await counted()).toMatchObject({
      failed: (before.failed ?? 0) + 1,
      unknown: (before.unknown ?? 0) + 1,
    });
    await remove(queue.id);
    expect(await counted()).toEqual(before);
  });

  it('a failed batch of a deleted queue is kept as long as delivered events, then deleted with its events and the queue', async () => {
    const [doomed, present] = [
      await newQueue(world(), principal, byThree),
      await newQueue(world(), principal, byThree),
    ];
    for (const { id } of [doomed, present]) {
      await ended(id, 'failed');
      await ended(id, 'unknown');
    }
    await remove(doomed.id);
    const whole = await left();
    world().clock.passSeconds(29 * daySeconds);
    await house();
    expect(await left()).toEqual(whole);
    world().clock.passSeconds(2 * daySeconds);
    await house();
    expect(await left()).toEqual([
      'batches',
      'batches',
      'event_pushes',
      'event_pushes',
      'queue_keys',
      'queues',
    ]);
  });

  it('a deleted queue keeps its row while it has a recently delivered batch', async () => {
    const queue = await newQueue(world(), principal, byThree);
    const batch = await ended(queue.id, 'unknown');
    await remove(queue.id);
    world().clock.passSeconds(31 * daySeconds);
    await world().rows("update batches set status = 'delivered', ended_at = $2 where id = $1 returning id", [
      batch,
      world().clock.now(),
    ]);
    await house();
    expect(await left()).toEqual(['batches', 'event_pushes', 'queues']);
    world().clock.passSeconds(31 * daySeconds);
    await house();
    expect(await left()).toEqual([]);
  });
});
