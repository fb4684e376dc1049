import { afterEach, describe, expect, it } from '@jest/globals';
import { metricCatalogue, type Principal } from '@stanza/contracts';
import { asOwner, rowsReadBy } from '@stanza/test-kit/service-world';
import { sharedByTests } from '@stanza/test-kit/shared';
import { closeDue, dueClosings } from '../store/closings.ts';
import { newQueue, openWorld, pusher, rolling, somebody } from '../testing/world.ts';
import { closeBatches } from './close-batches.ts';

/** Due batches of one organization: a few runs' worth. */
const backlog = 1_000;
/** Organizations with a batch that is still open. */
const waiting = 150;

describe('closings', () => {
  const world = sharedByTests(openWorld);

  afterEach(() => closeBatches(world())());

  /** Opens batches, each of a queue of its own, that end this many minutes ago. */
  const open = (organizations: readonly Principal[], minutes: number) =>
    world().rows(
      `with queue as (
         insert into queues (organization_id, environment, id, operation_id, name, mode, window_seconds, template_id,
           channel_id, is_active, created_by, created_at, updated_at)
         select organization_id, 'production', gen_random_uuid(), gen_random_uuid(), 'Digest', 'rolling_window', 60,
           gen_random_uuid(), 'C1', true, 'ada', clock_timestamp(), clock_timestamp()
         from unnest($1::uuid[]) as given (organization_id)
         returning organization_id, id)
       insert into batches (organization_id, environment, id, queue_id, status, policy, event_count, byte_count,
         opened_at, window_end, latest_end)
       select organization_id, 'production', gen_random_uuid(), id, 'collecting', '{"mode": "rolling_window"}', 1, 1,
         clock_timestamp(), clock_timestamp() - $2::integer * interval '1 minute', clock_timestamp()
       from queue
       returning id`,
      [organizations.map((it) => it.organization_id), minutes],
    );
  const times = (count: number, of: () => Principal): Principal[] => Array.from({ length: count }, of);

  const openOf = async (organizations: readonly Principal[]): Promise<number[]> => {
    const rows = await world().rows<{ organization_id: string }>(
      "select organization_id from batches where status = 'collecting'",
    );
    return organizations.map((of) => rows.filter((it) => it.organization_id === of.organization_id).length);
  };

  const waitedUntilNow = async (): Promise<number> => {
    const { values } = await world().metrics.counter(metricCatalogue.runtime.shareWaited).get();
    return values.find(({ labels }) => labels.kind === 'closings')?.value ?? 0;
  };

  const closeOnce = async (read: string[] = []): Promise<number> => {
    const due = dueClosings();
    return rowsReadBy(world().database, ['batches'], async (tx) => {
      const { closed } = await closeDue(tx, await due.find(tx));
      read.push(...closed.map((it) => it.organization_id));
    });
  };

  it('are shared by organizations, whatever backlog of one is older, and read none of it', async () => {
    const [busy, other] = [somebody(), somebody()];
    await open(
      times(backlog, () => busy),
      60,
    );
    await open([other], 1);
    await open(times(waiting, somebody), -60);
    await asOwner('queue-ingest', world().ownerUrl, (owner) => owner.query('analyze batches'));
    const closed: string[] = [];
    const read = await closeOnce(closed);
    expect(closed.filter((it) => it === other.organization_id)).toHaveLength(1);
    expect(closed.filter((it) => it === busy.organization_id)).toHaveLength(100);
    expect(closed).toHaveLength(101);
    expect(read).toBeLessThan(800);
  });

  it('go on until nothing is due, and show who has waited for a further run', async () => {
    const [busy, other] = [somebody(), somebody()];
    await open(
      times(450, () => busy),
      60,
    );
    await open([other], 1);
    const before = await waitedUntilNow();
    await closeBatches(world())();
    expect(await openOf([busy, other])).toEqual([0, 0]);
    expect((await waitedUntilNow()) - before).toBe(350);
  });

  it('of concurrent replicas hand each batch over once, and share the backlog of one organization', async () => {
    const busy = somebody();
    await open(
      times(450, () => busy),
      60,
    );
    await Promise.all([closeBatches(world())(), closeBatches(world())(), closeBatches(world())()]);
    expect(await openOf([busy])).toEqual([0]);
    const handed = await world().rows(
      `select count(*) as handed, count(distinct payload ->> 'batch_id') as batches
       from outbox
       where subject = 'work.delivery.deliver-batch' and payload ->> 'organization_id' = $1`,
      [busy.organization_id],
    );
    expect(handed).toEqual([{ handed: 450, batches: 450 }]);
  });

  it('leave a batch to the push that has it', async () => {
    const one = somebody();
    const queue = await newQueue(world(), one, rolling);
    await pusher(world())(one, queue.id, [{}]);
    world().clock.passSeconds(60);
    const held = Promise.withResolvers<void>();
    const isClosed = Promise.withResolvers<void>();
    const push = world().database.transaction(async (tx) => {
      await tx.orm.query(
        `update batches set window_end = window_end + interval '1 hour', latest_end = latest_end + interval '1 hour'
         where queue_id = $1`,
        [queue.id],
      );
      held.resolve();
      await isClosed.promise;
    });
    await held.promise;
    await closeBatches(world())();
    isClosed.resolve();
    await push;
    await closeBatches(world())();
    expect(await openOf([one])).toEqual([1]);
  });
});
