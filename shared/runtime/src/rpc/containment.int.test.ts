import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Msg } from '@nats-io/transport-node';
import { bindIdentity, createApiKey, getChatConnection, type InputOf, subjectOf } from '@stanza/contracts';
import { type Broker, connectBroker } from '../nats/broker.ts';
import { silentLogger } from '../observability/log.ts';
import { startServiceNats } from '../testing/jobs.ts';
import type { TestNats } from '../testing/nats.ts';
import { type TestProcess, testProcess } from '../testing/rpc.ts';
import { newContext } from './context.ts';
import { encodeContext } from './wire.ts';

const newKey: InputOf<typeof createApiKey> = {
  params: undefined,
  query: undefined,
  body: { name: 'A key', environment: 'production', scopes: ['templates:read'] },
};
const nothing = { params: undefined, query: undefined, body: undefined };

let nats: TestNats;
let organization: TestProcess;
let gateway: TestProcess;
/** An intruder with the password of the delivery service. */
let intruder: Broker;
const bound: unknown[] = [];

const connectAs = (user: string, caller: 'delivery' | 'admin'): Promise<Broker> =>
  connectBroker({ url: nats.url, user, password: 'secret', caller, log: silentLogger() });

beforeEach(async () => {
  nats = await startServiceNats();
  organization = await testProcess({ url: nats.url, caller: 'organization', user: 'organization' });
  gateway = await testProcess({ url: nats.url, caller: 'gateway', user: 'gateway' });
  intruder = await connectAs('delivery', 'delivery');
  bound.length = 0;
  await organization.serve([
    { operation: bindIdentity, serve: async ({ json }) => String(bound.push(json)) },
    { operation: createApiKey, serve: async () => JSON.stringify({ key: 'sk_live_of-somebody-else' }) },
  ]);
});
afterEach(async () => {
  await Promise.all([organization.broker.close(), gateway.broker.close(), intruder.close()]);
  await nats.close();
});

describe('an intruder with the password of a service', () => {
  it('runs no operation of another service by an answer that arrives at its subject', async () => {
    const arrived = Promise.withResolvers<void>();
    const operator = await connectAs('operator', 'admin');
    operator.nats.subscribe(subjectOf(bindIdentity), { callback: () => arrived.resolve() });
    const answer = { headers: encodeContext(newContext({ deadlineMs: 5_000 }), 5_000) };
    intruder.nats.subscribe('rpc.delivery.*', {
      callback: (_, message) => void message.respond('{"email":"owner@beacon.example"}', answer),
    });
    await Promise.all([operator.nats.flush(), intruder.nats.flush()]);
    gateway.broker.nats.publish(subjectOf(getChatConnection), '', { reply: subjectOf(bindIdentity) });
    await arrived.promise;
    await organization.broker.nats.flush();
    expect(bound).toEqual([]);
    await operator.close();
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
