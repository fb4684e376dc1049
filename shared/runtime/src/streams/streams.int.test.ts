import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import {
  accessChanged,
  doneSubjectOf,
  messageSubjectOf,
  settleReservation,
  workStreamOf,
} from '@stanza/contracts';
import type { Database } from '../database/database.ts';
import { statement } from '../database/statement.ts';
import { InvariantError } from '../invariant.ts';
import { connectBroker } from '../nats/broker.ts';
import { silentLogger } from '../observability/log.ts';
import { createMetrics } from '../observability/metrics.ts';
import { RpcFailure } from '../rpc/failure.ts';
import type { TestNats } from '../testing/nats.ts';
import { connectTo, provisionSchema, startTestPostgres, type TestPostgres } from '../testing/postgres.ts';
import {
  deadLettersOf,
  emptyTables,
  keepStreams,
  rowsOf,
  type StreamProcess,
  seedOf,
  someWork,
  startServiceNats,
  streamProcess,
} from '../testing/streams.ts';
import { until } from '../testing/wait.ts';
import { consume, PermanentFailure, UnfinishedWork, type WorkConsumer } from './consume.ts';
import { createEvents } from './events.ts';
import { encodeFacts } from './message.ts';

const insertNote = statement<object>('test-note', 'insert into notes (id, text) values ($1, $2)');
const countOpen = statement<{ open: number }>(
  'test-open-transactions',
  `select count(*)::int as open
   from pg_stat_activity
   where datname = current_database() and application_name = 'stanza organization' and pid <> pg_backend_pid()
     and xact_start is not null`,
);
const countNotes = statement<{ count: number }>('test-notes', 'select count(*)::int as count from notes');

let postgres: TestPostgres;
let nats: TestNats;
let deliveries: Database;
let organizations: Database;
let keeper: { stop: () => Promise<void> };
let delivery: StreamProcess;
let organization: StreamProcess;

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
  keeper = await keepStreams(nats.url);
  await Promise.all([emptyTables(deliveries), emptyTables(organizations)]);
  await organizations.orm.query('delete from notes');
  delivery = await streamProcess('delivery', nats.url, deliveries);
  organization = await streamProcess('organization', nats.url, organizations);
});
afterEach(async () => {
  await Promise.all([delivery.stop(), organization.stop(), keeper.stop()]);
  await nats.close();
});

const give = (seed: number, delayMs = 0) =>
  deliveries.transaction((tx) => delivery.outbox.add(tx, settleReservation, someWork(seed), { delayMs }));

const connectOperator = () => {
  const operator = { user: 'operator', password: 'secret', caller: 'admin' } as const;
  return connectBroker({ url: nats.url, ...operator, log: silentLogger() });
};

const notes = async (): Promise<number> => (await organizations.query(countNotes))[0]?.count ?? 0;

/** Consumes work by writing a row for each piece, and records the facts of every run. */
const writing = (ids: string[] = []) =>
  consume(settleReservation, async (payload, tx, facts) => {
    ids.push(facts.id);
    await tx.query(insertNote, [seedOf(payload), facts.id]);
  });

describe('work', () => {
  it('is done once by its consumer, after which the producer deletes it', async () => {
    const ids: string[] = [];
    organization.work(writing(ids));
    await Promise.all([1, 2, 3].map((seed) => give(seed)));
    await until(async () => (await notes()) === 3 && (await rowsOf(deliveries)).length === 0);
    expect(new Set(ids).size).toBe(3);
  });

  it('is not published when its transaction is rolled back', async () => {
    const ids: string[] = [];
    organization.work(writing(ids));
    const failing = deliveries.transaction(async (tx) => {
      await delivery.outbox.add(tx, settleReservation, someWork(1));
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    await give(2);
    await until(async () => (await notes()) === 1);
    expect(ids).toHaveLength(1);
  });

  it('has no transaction open while it prepares, continues at the next delivery, and is then done once', async () => {
    let deliveriesOfTheWork = 0;
    organization.work(
      consume(
        settleReservation,
        (_payload, tx, facts) => tx.query(insertNote, [1, facts.id]).then(() => undefined),
        {
          prepare: async () => {
            // Jobs of the process have short transactions of their own. One of the work would stay until it is prepared.
            await until(async () => (await organizations.query(countOpen))[0]?.open === 0);
            deliveriesOfTheWork += 1;
            if (deliveriesOfTheWork < 3) throw new UnfinishedWork('there is more');
          },
        },
      ),
    );
    await give(1);
    await until(async () => (await rowsOf(deliveries)).length === 0);
    expect(deliveriesOfTheWork).toBeGreaterThanOrEqual(3);
    expect([await notes(), await deadLettersOf(organizations)]).toEqual([1, []]);
  });

  it('that took many deliveries does not become a dead letter at its first failure', async () => {
    await give(1);
    const operator = await connectOperator();
    const durable = await until(() =>
      jetstream(operator.nats)
        .consumers.get(workStreamOf('organization'), settleReservation.name)
        .catch(() => undefined),
    );
    const unfinished = 20;
    for (let delivered = 0; delivered < unfinished; ) {
      const message = await durable.next({ expires: 1_000 });
      delivered = message?.info.deliveryCount ?? 0;
      message?.nak();
    }
    await operator.close();
    let failures = 0;
    organization.work({
      ...writing(),
      prepare: async () => {
        failures += 1;
        if (failures === 1) throw new Error('the first of its own');
      },
    });
    await until(async () => (await notes()) === 1);
    // It may be published once more before its producer hears that it is done.
    expect(failures).toBeGreaterThanOrEqual(2);
    expect(await deadLettersOf(organizations)).toEqual([]);
  });

  it('waits until it is due', async () => {
    organization.work(writing());
    await give(1, 3_600_000);
    await give(2);
    await until(async () => (await notes()) === 1 && (await rowsOf(deliveries)).length === 1);
    expect(await rowsOf(deliveries)).toMatchObject([{ attempt: 0 }]);
    await deliveries.orm.query('update outbox set due_at = now()');
    await until(async () => (await notes()) === 2);
  });

  it('that is committed during an outage of NATS is done after it', async () => {
    organization.work(writing());
    await nats.kill();
    await until(() => !delivery.broker.connected);
    await give(1);
    await nats.restart();
    await until(async () => (await notes()) === 1 && (await rowsOf(deliveries)).length === 0);
  });

  it('survives the loss of the whole store of NATS', async () => {
    organization.work(writing());
    await give(1);
    await until(async () => (await notes()) === 1);
    await nats.kill();
    await nats.wipe();
    await give(2);
    await nats.restart();
    await until(async () => (await notes()) === 2 && (await rowsOf(deliveries)).length === 0);
  });

  it('is republished until its consumer exists and reports it done, and is done once', async () => {
    await give(1);
    await until(async () => ((await rowsOf(deliveries))[0]?.attempt ?? 0) >= 2);
    const ids: string[] = [];
    organization.work(writing(ids));
    await until(async () => (await rowsOf(deliveries)).length === 0);
    expect(await notes()).toBe(1);
    expect(ids).toHaveLength(1);
  });

  it('is in the stream once, however often it is published while its consumer is down', async () => {
    await Promise.all([1, 2, 3].map((seed) => give(seed)));
    await until(async () => {
      const rows = await rowsOf(deliveries);
      return rows.length === 3 && rows.every(({ attempt }) => attempt >= 4);
    });
    const operator = await connectOperator();
    const manager = await jetstreamManager(operator.nats, { checkAPI: false });
    expect((await manager.streams.info(workStreamOf('organization'))).state.messages).toBe(3);
    await operator.close();
    organization.work(writing());
    await until(async () => (await notes()) === 3 && (await rowsOf(deliveries)).length === 0);
  });

  it('whose report was lost is reported again without being done again', async () => {
    const ids: string[] = [];
    organization.work(writing(ids));
    await give(1);
    await until(async () => (await rowsOf(deliveries)).length === 0);
    const [id = ''] = ids;
    // As if the report had been lost: the row exists again and is due.
    await deliveries.orm.query(
      'insert into outbox (id, kind, subject, payload, attempt) values ($1, $2, $3, $4, 1)',
      [id, 'work', messageSubjectOf(settleReservation), JSON.stringify(someWork(1))],
    );
    await until(async () => (await rowsOf(deliveries)).length === 0);
    expect(ids).toHaveLength(1);
    expect(await notes()).toBe(1);
  });

  it('that fails leaves nothing behind and is delivered again', async () => {
    let runs = 0;
    organization.work(
      consume(settleReservation, async (_payload, tx, facts) => {
        runs++;
        await tx.query(insertNote, [runs, facts.id]);
        if (runs < 3) throw runs === 1 ? new Error('a bug') : new RpcFailure('timeout', 'x', true);
      }),
    );
    await give(1);
    await until(async () => (await notes()) === 1);
    expect(runs).toBe(3);
    expect(await deadLettersOf(organizations)).toEqual([]);
  });

  it('with a permanent error becomes a dead letter at once, and the producer deletes it', async () => {
    organization.work(
      consume(settleReservation, () => Promise.reject(new PermanentFailure('no such reservation'))),
    );
    await give(1);
    const [letter] = await until(async () => {
      const letters = await deadLettersOf(organizations);
      return letters.length > 0 && letters;
    });
    expect(letter).toMatchObject({ reason: 'PermanentFailure: no such reservation', deliveries: 1 });
    expect(JSON.parse(letter?.payload ?? '')).toEqual(someWork(1));
    await until(async () => (await rowsOf(deliveries)).length === 0);
  });

  it('that cannot be read becomes a dead letter', async () => {
    organization.work(writing());
    const facts = { id: '019a0000-0000-7000-8000-00000000dead', attempt: 1, producer: 'delivery' } as const;
    const subject = messageSubjectOf(settleReservation);
    const stream = jetstream(delivery.broker.nats);
    await until(() => stream.publish(subject, '{}').catch(() => undefined));
    await stream.publish(subject, 'no json', { headers: encodeFacts(facts) });
    await until(async () => (await deadLettersOf(organizations)).length === 2);
    expect(await deadLettersOf(organizations)).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ message_id: facts.id, payload: 'no json' }),
        expect.objectContaining({ message_id: null, reason: 'the message lacks its headers' }),
      ]),
    );
  });

  it('continues when stream and consumer are deleted at run time', async () => {
    organization.work(writing());
    await give(1);
    await until(async () => (await notes()) === 1);
    const operator = await connectOperator();
    const manager = await jetstreamManager(operator.nats, { checkAPI: false });
    await manager.streams.delete(workStreamOf('organization'));
    await operator.close();
    await give(2);
    await until(async () => (await notes()) === 2);
  });

  it('in flight is finished at a stop, and other fetched work is returned to another replica', async () => {
    const open = Promise.withResolvers<void>();
    let begun = 0;
    const writes = writing();
    const slow: WorkConsumer = {
      ...writes,
      concurrency: 1,
      read: (payload) => async (tx, facts) => {
        begun++;
        await open.promise;
        await writes.read(payload)(tx, facts);
      },
    };
    const leaving = organization.work(slow);
    await Promise.all([1, 2, 3].map((seed) => give(seed)));
    await until(() => begun === 1);
    const stopped = leaving.stop();
    open.resolve();
    await stopped;
    expect(await notes()).toBe(1);
    organization.work(writes);
    await until(async () => (await notes()) === 3);
  });

  it('of a holder that cannot go on takes its share, and that of others is done meanwhile', async () => {
    const stuck = Promise.withResolvers<void>();
    const busy = someWork(1).organization_id;
    let begun = 0;
    organization.work(
      consume(
        settleReservation,
        async (payload, tx, facts) => {
          await tx.query(insertNote, [seedOf(payload), facts.id]);
        },
        {
          concurrency: 8,
          turns: { kind: 'settlements', holder: ({ organization_id }) => organization_id },
          prepare: async ({ organization_id }) => {
            if (organization_id !== busy) return;
            begun += 1;
            await stuck.promise;
          },
        },
      ),
    );
    const many = 20;
    const works = Array.from({ length: many }, (_, at) => ({ ...someWork(at + 1), organization_id: busy }));
    for (const work of works)
      await deliveries.transaction((tx) => delivery.outbox.add(tx, settleReservation, work));
    const waiting = async () => organization.metrics.registry.metrics();
    await until(async () =>
      (await waiting()).match(/^stanza_share_refused_total\{kind="settlements",reason="share".*\} [1-9]/m),
    );
    await Promise.all([101, 102, 103].map((seed) => give(seed)));
    await until(async () => (await notes()) === 3);
    expect(begun).toBe(4);
    stuck.resolve();
    await until(async () => (await rowsOf(deliveries)).length === 0);
    expect(await notes()).toBe(many + 3);
    expect(await deadLettersOf(organizations)).toEqual([]);
  });

  it('is refused by the outbox when its payload or its producer is wrong', async () => {
    const wrongPayload = deliveries.transaction((tx) =>
      delivery.outbox.add(tx, settleReservation, { ...someWork(1), items: [] }),
    );
    await expect(wrongPayload).rejects.toThrow('Too small');
    const wrongProducer = deliveries.transaction((tx) =>
      delivery.outbox.add(tx, accessChanged, { organization_id: someWork(1).organization_id }),
    );
    await expect(wrongProducer).rejects.toBeInstanceOf(InvariantError);
  });
});

describe('an event', () => {
  const subscribe = async () => {
    const broker = await connectBroker({
      url: nats.url,
      user: 'gateway',
      password: 'secret',
      caller: 'gateway',
      log: silentLogger(),
    });
    const heard: string[] = [];
    let gaps = 0;
    const metrics = createMetrics({ service: 'gateway', processMetrics: false });
    createEvents(broker, silentLogger(), metrics).subscribe(
      accessChanged,
      ({ organization_id }) => {
        heard.push(organization_id);
      },
      {
        onGap: () => {
          gaps++;
        },
      },
    );
    await broker.nats.flush();
    return { broker, heard, gaps: () => gaps };
  };

  const announce = (seed: number) =>
    organizations.transaction((tx) =>
      organization.outbox.add(tx, accessChanged, { organization_id: someWork(seed).organization_id }),
    );

  it('is received by every process that subscribed, and leaves the outbox', async () => {
    const listeners = [await subscribe(), await subscribe()];
    await announce(7);
    await until(() => listeners.every(({ heard }) => heard.length > 0));
    expect(listeners[0]?.heard[0]).toBe(someWork(7).organization_id);
    await until(async () => (await rowsOf(organizations)).length === 0);
    await Promise.all(listeners.map(({ broker }) => broker.close()));
  });

  it('that may have been missed is reported as a gap', async () => {
    const listener = await subscribe();
    await nats.kill();
    await until(() => !listener.broker.connected);
    await announce(8);
    await nats.restart();
    await until(() => listener.gaps() === 1);
    await until(async () => (await rowsOf(organizations)).length === 0);
    await listener.broker.close();
  });
});

describe('permissions', () => {
  it('let only consumers of work report it as done', async () => {
    await give(1);
    const [row] = await until(async () => {
      const rows = await rowsOf(deliveries);
      return rows.length > 0 && rows;
    });
    const broker = await connectBroker({
      url: nats.url,
      user: 'template',
      password: 'secret',
      caller: 'template',
      log: silentLogger(),
    });
    broker.nats.publish(doneSubjectOf('delivery'), JSON.stringify({ ids: [row?.id] }));
    await broker.nats.flush();
    await delivery.broker.nats.flush();
    expect(await rowsOf(deliveries)).toHaveLength(1);
    await broker.close();
  });
});
