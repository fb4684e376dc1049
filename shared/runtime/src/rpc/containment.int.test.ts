import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AckPolicy, jetstreamManager, RetentionPolicy } from '@nats-io/jetstream';
import type { Msg } from '@nats-io/transport-node';
import {
  bindIdentity,
  createApiKey,
  deliverBatch,
  doneSubjectOf,
  getChatConnection,
  type InputOf,
  inboxPrefixOf,
  messageSubjectOf,
  subjectOf,
  workStreamOf,
} from '@stanza/contracts';
import { type Broker, connectBroker } from '../nats/broker.ts';
import { silentLogger } from '../observability/log.ts';
import type { TestNats } from '../testing/nats.ts';
import { type TestProcess, testProcess } from '../testing/rpc.ts';
import { startServiceNats } from '../testing/streams.ts';
import { until } from '../testing/wait.ts';
import { newContext } from './context.ts';
import { encodeContext } from './wire.ts';

const stream = workStreamOf('delivery');
const target = subjectOf(bindIdentity);
/** A subject that a consumer of queue-ingest's work may publish to. */
const own = doneSubjectOf('queue-ingest');
const secret = 'sk_live_of-somebody-else';
const somebody = JSON.stringify({
  email: 'owner@beacon.example',
  issuer: 'https://x.example',
  subject: 'me',
});
const newKey: InputOf<typeof createApiKey> = {
  params: undefined,
  query: undefined,
  body: { name: 'A key', environment: 'production', scopes: ['templates:read'] },
};

let nats: TestNats;
let organization: TestProcess;
let gateway: TestProcess;
/** An intruder with the password of the delivery service. */
let intruder: Broker;
const bound: unknown[] = [];

const connectAs = (user: string, caller: 'delivery' | 'admin' | 'queue-ingest'): Promise<Broker> =>
  connectBroker({ url: nats.url, user, password: 'secret', caller, log: silentLogger() });

beforeEach(async () => {
  nats = await startServiceNats();
  const operator = await connectAs('operator', 'admin');
  const manager = await jetstreamManager(operator.nats, { checkAPI: false });
  await manager.streams.add({
    name: stream,
    subjects: ['work.delivery.>'],
    retention: RetentionPolicy.Workqueue,
  });
  await operator.close();
  organization = await testProcess({ url: nats.url, caller: 'organization', user: 'organization' });
  gateway = await testProcess({ url: nats.url, caller: 'gateway', user: 'gateway' });
  intruder = await connectAs('delivery', 'delivery');
  bound.length = 0;
  await organization.serve([
    { operation: bindIdentity, serve: async ({ json }) => bound.push(json) },
    { operation: createApiKey, serve: async () => ({ key: secret }) },
  ]);
});
afterEach(async () => {
  await Promise.all([organization.broker.close(), gateway.broker.close(), intruder.close()]);
  await nats.close();
});

/** Sends a request to JetStream and returns its outcome. */
const ask = async (subject: string, body: object): Promise<string> => {
  try {
    const answer = await intruder.nats.request(subject, JSON.stringify(body), { timeout: 2_000 });
    return answer.string();
  } catch (error) {
    return `refused: ${error instanceof Error ? error.message : ''}`;
  }
};

const changeStream = (change: object): Promise<string> =>
  ask(`$JS.API.STREAM.UPDATE.${stream}`, {
    name: stream,
    subjects: ['work.delivery.>'],
    retention: 'workqueue',
    storage: 'file',
    num_replicas: 1,
    max_consumers: -1,
    max_msgs: -1,
    max_bytes: -1,
    max_age: 0,
    discard: 'old',
    duplicate_window: 120_000_000_000,
    ...change,
  });

const makeConsumer = (name: string, config: object): Promise<string> =>
  ask(`$JS.API.CONSUMER.DURABLE.CREATE.${stream}.${name}`, {
    stream_name: stream,
    config: { durable_name: name, ack_policy: 'explicit', ...config },
  });

/** Publishes a message that would be a request if the target received it. */
const forge = async (): Promise<void> => {
  intruder.nats.publish(own, somebody, { headers: encodeContext(newContext({ deadlineMs: 5_000 }), 5_000) });
  await intruder.nats.flush();
};

/** Waits until earlier messages have reached the organization service. */
const settled = async (): Promise<void> => {
  for (const { nats: connection } of [intruder, organization.broker, gateway.broker])
    await connection.flush();
  await organization.broker.nats.flush();
};

describe('an intruder with the password of a service', () => {
  it('reads no answer to another service by a stream on its inbox', async () => {
    const changed = await changeStream({ no_ack: true, subjects: ['work.delivery.>', '_INBOX.gateway.>'] });
    await gateway.rpc.call(createApiKey, newKey, newContext({ deadlineMs: 5_000 }));
    await makeConsumer('spy', {});
    const heard: string[] = [];
    const inbox = `${inboxPrefixOf('delivery')}.spy`;
    intruder.nats.subscribe(inbox, {
      callback: (_, message) => {
        heard.push(message.string());
      },
    });
    intruder.nats.publish(`$JS.API.CONSUMER.MSG.NEXT.${stream}.spy`, '{"batch":1}', { reply: inbox });
    await settled();
    expect(heard.join()).not.toContain(secret);
    expect(changed).toMatch(/refused.*permission/i);
  });

  it('runs no operation of another service by a stream that republishes', async () => {
    const changed = await changeStream({
      subjects: ['work.delivery.>', own],
      republish: { src: own, dest: target },
    });
    await forge();
    await settled();
    expect(bound).toEqual([]);
    expect(changed).toMatch(/refused.*permission/i);
  });

  it('runs no operation of another service by a consumer that delivers to it', async () => {
    await changeStream({ subjects: ['work.delivery.>', own] });
    const made = await makeConsumer('push', { deliver_subject: target, deliver_group: 'organization' });
    await forge();
    await settled();
    expect(bound).toEqual([]);
    expect(made).toMatch(/refused.*permission/i);
  });

  it('runs no operation of another service by fetching work to its subject', async () => {
    const operator = await connectAs('operator', 'admin');
    const manager = await jetstreamManager(operator.nats, { checkAPI: false });
    await manager.consumers.add(stream, { durable_name: deliverBatch.name, ack_policy: AckPolicy.Explicit });
    const headers = encodeContext(newContext({ deadlineMs: 60_000 }), 60_000);
    await operator.nats.request(messageSubjectOf(deliverBatch), somebody, { headers, timeout: 5_000 });
    const next = `$JS.API.CONSUMER.MSG.NEXT.${stream}.${deliverBatch.name}`;
    intruder.nats.publish(next, '{"batch":1}', { reply: target });
    await until(async () => (await manager.consumers.info(stream, deliverBatch.name)).num_ack_pending === 1);
    await operator.close();
    await settled();
    expect(bound).toEqual([]);
  });

  it('never learns the reply subject of another service', async () => {
    const seen = { organization: new Set<string>(), delivery: new Set<string>() };
    const note = (to: Set<string>) => (_: unknown, message: Msg) => {
      if (message.reply) to.add(message.reply);
    };
    const operator = await connectAs('operator', 'admin');
    operator.nats.subscribe('rpc.organization.*', { callback: note(seen.organization) });
    intruder.nats.subscribe('rpc.delivery.*', {
      callback: (error, message) => {
        note(seen.delivery)(error, message);
        message.respond('{}');
      },
    });
    await Promise.all([operator.nats.flush(), intruder.nats.flush()]);
    const nothing = { params: undefined, query: undefined, body: undefined };
    for (let round = 0; round < 3; round++) {
      await gateway.rpc.call(createApiKey, newKey, newContext({ deadlineMs: 5_000 }));
      await gateway.rpc.call(getChatConnection, nothing, newContext({ deadlineMs: 5_000 }));
    }
    await operator.nats.flush();
    await operator.close();
    expect([seen.organization.size, seen.delivery.size]).toEqual([1, 1]);
    expect(seen.organization).not.toEqual(seen.delivery);
    const [slot = ''] = [...seen.delivery].map((it) => it.split('.').at(-1));
    expect(slot).toMatch(/^[\w-]{12}$/);
  });
});
