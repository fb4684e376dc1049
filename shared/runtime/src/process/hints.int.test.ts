import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { hintSubjectOf, natsPermissions } from '@stanza/contracts';
import { type Broker, connectBroker } from '../nats/broker.ts';
import { silentLogger } from '../observability/log.ts';
import { startTestNats, type TestNats } from '../testing/nats.ts';
import { until } from '../testing/wait.ts';
import { Hints } from './hints.ts';

let nats: TestNats;
const opened: { broker: Broker; hints: Hints }[] = [];

beforeAll(async () => {
  const users = { delivery: natsPermissions('delivery'), compile: natsPermissions('compile') };
  nats = await startTestNats({ users });
});
afterEach(async () => {
  for (const { hints, broker } of opened.splice(0)) {
    hints.close();
    await broker.close();
  }
});
afterAll(() => nats.close());

/** A process of a service, with the jobs that hints have woken in it. */
const start = async (service: 'delivery' | 'compile' = 'delivery') => {
  const log = silentLogger();
  const broker = await connectBroker({
    url: nats.url,
    user: service,
    password: 'secret',
    caller: service,
    log,
  });
  const woken: string[] = [];
  const hints = new Hints({ broker, service, wake: (job) => woken.push(job), log });
  await broker.nats.flush();
  const made = { broker, hints, woken };
  opened.push(made);
  return made;
};

describe('a hint', () => {
  it('wakes the job in the other processes of the service, and in no other one', async () => {
    const [teller, second, third, stranger] = [
      await start(),
      await start(),
      await start(),
      await start('compile'),
    ];
    teller.hints.publish('send-deferred');
    await until(() => second.woken.length > 0 && third.woken.length > 0);
    await Promise.all([teller, stranger].map(({ broker }) => broker.nats.flush()));
    expect([teller, second, third, stranger].map(({ woken }) => woken)).toEqual([
      [],
      ['send-deferred'],
      ['send-deferred'],
      [],
    ]);
  });

  it('is told at once and then once for all that follow it, also by a process that ends', async () => {
    const [teller, other] = [await start(), await start()];
    for (const _ of [1, 2, 3, 4]) teller.hints.publish('send-deferred');
    teller.hints.publish('close-batches');
    await until(() => other.woken.length === 2);
    expect(other.woken).toEqual(['send-deferred', 'close-batches']);
    teller.hints.close();
    await until(() => other.woken.length === 3);
    await teller.broker.nats.flush();
    expect(other.woken).toEqual(['send-deferred', 'close-batches', 'send-deferred']);
  });

  it('that the server does not let through leaves the process as it is', async () => {
    const { broker } = await start('compile');
    const hints = new Hints({ broker, service: 'delivery', wake: () => undefined, log: silentLogger() });
    hints.publish('send-deferred');
    await broker.nats.flush();
    hints.close();
    expect(broker.fault).toBeUndefined();
    expect(broker.connected).toBe(true);
    expect(natsPermissions('compile').subscribe).not.toContain(hintSubjectOf('delivery'));
  });
});
