import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { accessChanged, CodedError, type InputOf, settleReservation } from '@stanza/contracts';
import type { Database } from '../database/database.ts';
import { statement } from '../database/statement.ts';
import { InvariantError } from '../invariant.ts';
import { createEvents } from '../nats/events.ts';
import { silentLogger } from '../observability/log.ts';
import { type AnyHandler, type Call, handle } from '../rpc/handler.ts';
import {
  emptyTables,
  failedJobsOf,
  type OutboxProcess,
  outboxProcess,
  rowsOf,
  seedOf,
  someWork,
  startServiceNats,
} from '../testing/jobs.ts';
import type { TestNats } from '../testing/nats.ts';
import { connectTo, provisionSchema, startTestPostgres, type TestPostgres } from '../testing/postgres.ts';
import { testProcess } from '../testing/rpc.ts';
import { until } from '../testing/wait.ts';

const insertNote = statement<object>(
  'test-note',
  'insert into notes (id, text) values ($1, $2) on conflict do nothing',
);
const countNotes = statement<{ count: number }>('test-notes', 'select count(*)::int as count from notes');

let postgres: TestPostgres;
let nats: TestNats;
let deliveries: Database;
let organizations: Database;
let delivery: OutboxProcess;
let organization: OutboxProcess;

beforeAll(async () => {
  postgres = await startTestPostgres();
  deliveries = await connectTo(await provisionSchema(postgres.url, 'delivery'), 'delivery');
  organizations = await connectTo(await provisionSchema(postgres.url, 'organization'), 'organization');
});
afterAll(async () => {
  await deliveries.close();
  await organizations.close();
  await postgres.close();
});
beforeEach(async () => {
  nats = await startServiceNats();
  await Promise.all([emptyTables(deliveries), emptyTables(organizations)]);
  await organizations.orm.query('delete from notes');
  delivery = await deliveryProcess();
  organization = await outboxProcess({ service: 'organization', url: nats.url, database: organizations });
});
afterEach(async () => {
  await Promise.all([delivery.stop(), organization.stop()]);
  await nats.close();
});

const deliveryProcess = (options: { runsFromMemory?: boolean } = {}) =>
  outboxProcess({ service: 'delivery', url: nats.url, database: deliveries, ...options });

const give = (seed: number, process = delivery, delayMs = 0) =>
  deliveries.transaction((tx) => process.outbox.add(tx, settleReservation, someWork(seed), { delayMs }));

const notes = async (): Promise<number> => (await organizations.query(countNotes))[0]?.count ?? 0;
const isEmpty = async (): Promise<boolean> => (await rowsOf(deliveries)).length === 0;

type Settled = Call<typeof settleReservation>;

/** Writes a note under a key of the input, and then does what a test wants. */
const noting = (then: (call: Settled) => unknown = () => undefined): AnyHandler =>
  handle(settleReservation, async (call) => {
    await organizations.query(insertNote, [seedOf(call.input), call.context.operationId]);
    await then(call);
    return {};
  });

describe('a call of the outbox', () => {
  it('a call is made once, under the id of its row, and the row is deleted afterwards', async () => {
    const ids: string[] = [];
    await organization.serve([noting(({ context }) => ids.push(context.operationId))]);
    await Promise.all([1, 2, 3].map((seed) => give(seed)));
    await until(isEmpty);
    expect([await notes(), ids.length, new Set(ids).size]).toEqual([3, 3, 3]);
  });

  it('a call is not made when its transaction is rolled back', async () => {
    const seeds: number[] = [];
    await organization.serve([noting(({ input }) => seeds.push(seedOf(input)))]);
    const failing = deliveries.transaction(async (tx) => {
      await delivery.outbox.add(tx, settleReservation, someWork(1));
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    await give(2);
    await until(isEmpty);
    expect(seeds).toEqual([2]);
  });

  it('another process makes the call when its own is killed between the commit and the call', async () => {
    await organization.serve([noting()]);
    const killed = await deliveryProcess({ runsFromMemory: false });
    await give(1, killed);
    await killed.broker.close();
    expect(await rowsOf(deliveries)).toMatchObject([{ attempt: 1 }]);
    await delivery.runAll();
    await until(isEmpty);
    expect(await notes()).toBe(1);
  });

  it('a call is repeated and done once when its process is killed between the work and the answer', async () => {
    const worked = Promise.withResolvers<void>();
    const open = Promise.withResolvers<void>();
    let calls = 0;
    await organization.serve([
      noting(() => {
        calls += 1;
        worked.resolve();
        return calls === 1 ? open.promise : undefined;
      }),
    ]);
    const killed = await deliveryProcess();
    await give(1, killed);
    await worked.promise;
    await killed.broker.close();
    open.resolve();
    await delivery.runAll();
    await until(isEmpty);
    expect([calls, await notes()]).toEqual([2, 1]);
  });

  it('a call is repeated and done once when its receiver is killed between the work and the answer', async () => {
    const worked = Promise.withResolvers<void>();
    const dying = await outboxProcess({ service: 'organization', url: nats.url, database: organizations });
    const never = Promise.withResolvers<void>();
    await dying.serve([
      noting(() => {
        worked.resolve();
        return never.promise;
      }),
    ]);
    await give(1);
    await worked.promise;
    await dying.broker.close();
    await organization.serve([noting()]);
    await delivery.runAll();
    await until(isEmpty);
    expect(await notes()).toBe(1);
    never.resolve();
  });

  it('waits in its row while its receiver does not exist', async () => {
    await give(1);
    await delivery.runAll();
    await until(async () => delivery.runner.nextDue().then((ms) => ms !== undefined && ms > 0));
    await organization.serve([noting()]);
    await delivery.runAll();
    await until(isEmpty);
    expect(await notes()).toBe(1);
  });

  it('waits until it is due', async () => {
    await organization.serve([noting()]);
    await give(1, delivery, 3_600_000);
    await give(2);
    await until(async () => (await rowsOf(deliveries)).length === 1);
    expect(await rowsOf(deliveries)).toMatchObject([{ attempt: 0 }]);
    await delivery.runAll();
    await until(isEmpty);
    expect(await notes()).toBe(2);
  });

  it('a call that is committed while NATS is down is made once NATS is back', async () => {
    await organization.serve([noting()]);
    await nats.kill();
    await until(() => !delivery.broker.connected);
    await give(1);
    expect(await delivery.runner.nextDue()).toBeUndefined();
    await nats.restart();
    await until(async () => {
      if (delivery.broker.connected) await delivery.runAll();
      return isEmpty();
    });
    expect(await notes()).toBe(1);
  });

  it('a refused call fails at once and waits for an operator with its reason', async () => {
    await organization.serve([
      noting(() => {
        throw new CodedError('not_found', { message: 'no such reservation' });
      }),
    ]);
    await give(1);
    const [failed] = await until(async () => {
      const found = await failedJobsOf(deliveries);
      return found.length > 0 && found;
    });
    expect(failed).toMatchObject({ reason: 'CodedError: no such reservation', deliveries: 1 });
    expect(JSON.parse(failed?.payload ?? '')).toEqual(someWork(1));
    expect(await isEmpty()).toBe(true);
  });

  it('fails after twelve unexpected errors, of which outages are none', async () => {
    let calls = 0;
    await organization.serve([
      noting(() => {
        calls += 1;
        throw calls % 2 === 0 ? new Error('a bug') : new CodedError('service_unavailable');
      }),
    ]);
    await give(1);
    await until(async () => {
      await delivery.runAll();
      return (await failedJobsOf(deliveries)).length > 0;
    });
    // A call whose answer is late is made again, of which the receiver knows and the job does not.
    expect(calls).toBeGreaterThanOrEqual(24);
  });

  it('fails after twelve unexpected errors also where each meets another process', async () => {
    await organization.serve([
      noting(() => {
        throw new Error('a bug');
      }),
    ]);
    const counted = (count: number) =>
      until(async () => {
        const rows = await deliveries.orm.query<{ failures: number }[]>('select failures from outbox');
        return count === 12 ? rows.length === 0 : rows.every(({ failures }) => failures === count);
      });
    await give(1);
    await counted(1);
    for (let count = 2; count <= 12; count += 1) {
      const replica = await deliveryProcess();
      await replica.runAll();
      await counted(count);
      await replica.stop();
    }
    expect(await failedJobsOf(deliveries)).toMatchObject([
      { reason: 'CodedError: An unexpected error occurred.', deliveries: 12 },
    ]);
  });

  it('a call is due again after the Retry-After of its receiver', async () => {
    await organization.serve([
      noting(() => {
        throw new CodedError('service_unavailable', { retry_after: 1 });
      }),
    ]);
    await give(1);
    await until(async () => ((await delivery.runner.nextDue()) ?? Number.POSITIVE_INFINITY) <= 1_000);
    expect(await rowsOf(deliveries)).toMatchObject([{ attempt: 1 }]);
  });

  it('calls of an organization that cannot go on take its share, and those of others are done meanwhile', async () => {
    const stuck = Promise.withResolvers<void>();
    const busy = someWork(1).organization_id;
    await organization.serve([noting(({ input }) => input.organization_id === busy && stuck.promise)], 8);
    const works = Array.from({ length: 20 }, (_, at) => ({ ...someWork(at + 1), organization_id: busy }));
    for (const work of works)
      await deliveries.transaction((tx) => delivery.outbox.add(tx, settleReservation, work));
    await Promise.all([101, 102, 103].map((seed) => give(seed)));
    await until(async () => (await rowsOf(deliveries)).length === 20);
    stuck.resolve();
    await until(async () => {
      await delivery.runAll();
      return isEmpty();
    });
    expect([await notes(), await failedJobsOf(deliveries)]).toEqual([23, []]);
  });

  it('a row is refused when its input or its caller is wrong', async () => {
    const wrongInput: InputOf<typeof settleReservation> = { ...someWork(1), items: [] };
    await expect(
      deliveries.transaction((tx) => delivery.outbox.add(tx, settleReservation, wrongInput)),
    ).rejects.toThrow('Too small');
    const { organization_id } = someWork(1);
    await expect(
      deliveries.transaction((tx) => delivery.outbox.add(tx, accessChanged, { organization_id })),
    ).rejects.toBeInstanceOf(InvariantError);
  });
});

describe('an event of the outbox', () => {
  const subscribe = async () => {
    const { broker, metrics } = await testProcess({ url: nats.url, user: 'gateway', caller: 'gateway' });
    const received: string[] = [];
    const gaps: true[] = [];
    createEvents(broker, silentLogger(), metrics).subscribe(
      accessChanged,
      ({ organization_id }) => void received.push(organization_id),
      { onGap: () => gaps.push(true) },
    );
    await broker.nats.flush();
    return { broker, received, gaps };
  };

  const announce = (seed: number) =>
    organizations.transaction((tx) =>
      organization.outbox.add(tx, accessChanged, { organization_id: someWork(seed).organization_id }),
    );

  it('reaches every process that subscribed, and its row is deleted', async () => {
    const subscribers = [await subscribe(), await subscribe()];
    await announce(7);
    await until(() => subscribers.every(({ received }) => received.length > 0));
    expect(subscribers[0]?.received).toEqual([someWork(7).organization_id]);
    await until(async () => (await rowsOf(organizations)).length === 0);
    await Promise.all(subscribers.map(({ broker }) => broker.close()));
  });

  it('an event that a process may have missed is reported to it as a gap', async () => {
    const subscriber = await subscribe();
    await nats.kill();
    await until(() => !subscriber.broker.connected && !organization.broker.connected);
    await announce(8);
    await nats.restart();
    await until(() => subscriber.gaps.length === 1 && organization.broker.connected);
    await organization.runAll();
    await until(async () => (await rowsOf(organizations)).length === 0);
    await subscriber.broker.close();
  });
});
