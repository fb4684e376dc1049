import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AckPolicy, type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { eventStream, messageDeclarations, streamNames, workStreamOf } from '@stanza/contracts';
import { type Broker, connectBroker } from '../nats/broker.ts';
import { silentLogger } from '../observability/log.ts';
import type { TestNats } from '../testing/nats.ts';
import { keepStreams, startServiceNats } from '../testing/streams.ts';
import { until } from '../testing/wait.ts';

let nats: TestNats;
let operator: Broker;
let manager: JetStreamManager;
let keeper: { stop: () => Promise<void> };

beforeEach(async () => {
  nats = await startServiceNats();
  operator = await connectBroker({
    url: nats.url,
    user: 'operator',
    password: 'secret',
    caller: 'admin',
    log: silentLogger(),
  });
  manager = await jetstreamManager(operator.nats, { checkAPI: false });
  keeper = await keepStreams(nats.url);
});
afterEach(async () => {
  await Promise.all([keeper.stop(), operator.close()]);
  await nats.close();
});

const work = messageDeclarations.filter((it) => it.kind === 'work');

/** All consumers, each with its stream. */
const consumers = async (): Promise<string[]> => {
  const found: string[] = [];
  for (const stream of streamNames) {
    for await (const { name } of manager.consumers.list(stream)) found.push(`${stream} ${name}`);
  }
  return found.sort();
};
const wanted = work.map((it) => `${workStreamOf(it.consumer)} ${it.name}`).sort();

/** Waits until exactly the declared streams and consumers exist. */
const complete = (): Promise<boolean> =>
  until(async () => String(await consumers().catch(() => [])) === String(wanted));

describe('the process that makes the streams', () => {
  it('creates every stream and every consumer, with its own rights only', async () => {
    await complete();
    expect(await consumers()).toEqual(wanted);
  });

  it('creates them again after NATS has lost its store', async () => {
    await complete();
    await nats.kill();
    await nats.wipe();
    await nats.restart();
    await complete();
  });

  it('creates them again after they were deleted', async () => {
    await complete();
    await manager.streams.delete(workStreamOf('delivery'));
    await complete();
  });

  it('removes settings that send the messages of a stream elsewhere', async () => {
    await complete();
    const stream = workStreamOf('delivery');
    await manager.streams.update(stream, {
      subjects: ['work.delivery.>', '_INBOX.gateway.>', 'done.delivery'],
      republish: { src: 'done.delivery', dest: 'rpc.organization.bind-identity' },
    });
    await manager.consumers.add(eventStream, {
      durable_name: 'push',
      ack_policy: AckPolicy.None,
      deliver_subject: 'rpc.organization.bind-identity',
    });
    const corrected = await until(async () => {
      const { config } = await manager.streams.info(stream);
      return config.republish === undefined && config;
    });
    expect(corrected.subjects).toEqual(['work.delivery.>']);
    await complete();
  });

  it('corrects a consumer whose settings were changed', async () => {
    await complete();
    const stream = workStreamOf('organization');
    await manager.consumers.update(stream, 'settle-reservation', { max_ack_pending: 1 });
    await until(async () => {
      const { config } = await manager.consumers.info(stream, 'settle-reservation');
      return config.max_ack_pending !== 1;
    });
  });

  it('only reads where all is as it should be', async () => {
    await complete();
    const asked: string[] = [];
    const subscription = operator.nats.subscribe('$JS.API.>', {
      callback: (_, message) => void asked.push(message.subject),
    });
    const looks = () => asked.filter((subject) => subject === `$JS.API.STREAM.INFO.${eventStream}`).length;
    await until(async () => looks() >= 3);
    subscription.unsubscribe();
    const others = asked.filter((subject) => !/^\$JS\.API\.(STREAM\.INFO|CONSUMER\.LIST)\./.test(subject));
    expect(others).toEqual([]);
  });
});
