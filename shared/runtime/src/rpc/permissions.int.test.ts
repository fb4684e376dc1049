import { describe, expect, it } from '@jest/globals';
import type { Msg, Subscription } from '@nats-io/transport-node';
import { inboxPrefixOf, operations, type ServiceName, subjectOf } from '@stanza/contracts';
import { sharedByTests } from '@stanza/test-kit/shared';
import { type Broker, connectBroker } from '../nats/broker.ts';
import { silentLogger } from '../observability/log.ts';
import { startServiceNats } from '../testing/jobs.ts';
import { testProcess } from '../testing/rpc.ts';
import { newContext } from './context.ts';
import type { AnyHandler } from './handler.ts';

const nats = sharedByTests(startServiceNats);

const connectAs = (service: ServiceName): Promise<Broker> =>
  connectBroker({ url: nats().url, user: service, password: 'secret', caller: service, log: silentLogger() });

const collect = (messages: Msg[]) => (_err: Error | null, message: Msg) => {
  messages.push(message);
};

/** The server's reason for refusing a subscription; empty when it is allowed. */
const verdictOn = async (broker: Broker, subscription: Subscription): Promise<string> => {
  await broker.nats.flush();
  if (!subscription.isClosed()) return 'allowed';
  return String(await subscription.closed);
};

/** An operation that the gateway may call and organization answers. */
const called = operations.find(
  (it) => it.service === 'organization' && it.callers.includes('gateway') && it.kind === 'http',
);

describe('the NATS users of services', () => {
  it('let a call through to its owner and the answer back to the caller', async () => {
    if (!called) throw new Error('no operation to call');
    const server = await testProcess({ url: nats().url, caller: 'organization', user: 'organization' });
    const client = await testProcess({ url: nats().url, caller: 'gateway', user: 'gateway' });
    const answers: AnyHandler = { operation: called, serve: async () => '{"answered":true}' };
    await server.serve([answers]);
    const input = { params: undefined, query: undefined, body: undefined };
    expect(await client.rpc.call(called, input, newContext({ deadlineMs: 2_000 }))).toEqual({
      answered: true,
    });
    await Promise.all([server.broker.close(), client.broker.close()]);
  });

  it.each([[`${inboxPrefixOf('gateway')}.>`], ['_INBOX.>'], ['>'], ['rpc.organization.*'], ['$JS.ACK.>']])(
    'do not let one service listen to %s of another',
    async (subject) => {
      const spy = await connectAs('template');
      const heard: Msg[] = [];
      const subscription = spy.nats.subscribe(subject, { callback: collect(heard) });
      expect(await verdictOn(spy, subscription)).toMatch(/permissions? violation/i);
      expect(heard.filter((it) => it.subject)).toEqual([]);
      await spy.close();
    },
  );

  it('make a process unhealthy that subscribes to a forbidden subject', async () => {
    const lost = Promise.withResolvers<string>();
    const spy = await connectBroker({
      url: nats().url,
      user: 'template',
      password: 'secret',
      caller: 'template',
      log: silentLogger(),
      onLost: lost.resolve,
    });
    spy.subscribe('rpc.organization.*', () => undefined);
    expect(await lost.promise).toBe('the subscription of rpc.organization.* was closed');
    expect(spy.fault).toBe(await lost.promise);
    await spy.close();
  });

  it('do not let a service call an operation that does not name it as a caller', async () => {
    const foreign = operations.find((it) => it.service !== 'template' && !it.callers.includes('template'));
    if (!foreign) throw new Error('no operation to refuse');
    const spy = await testProcess({ url: nats().url, caller: 'template', user: 'template' });
    const refused = Promise.withResolvers<string>();
    const watch = async () => {
      for await (const status of spy.broker.nats.status()) {
        if (status.type === 'error') return refused.resolve(status.error.message);
      }
    };
    void watch();
    spy.broker.nats.publish(subjectOf(foreign), '{}');
    expect(await refused.promise).toMatch(/permissions violation.*publish/i);
    await spy.broker.close();
  });

  it('end a call to a forbidden operation at once, since no handler can have got it', async () => {
    const foreign = operations.find((it) => it.service !== 'template' && !it.callers.includes('template'));
    if (!foreign) throw new Error('no operation to refuse');
    const caller = await testProcess({ url: nats().url, caller: 'template', user: 'template' });
    const input = { params: undefined, query: undefined, body: undefined };
    const hour = 3_600_000;
    const call = caller.rpc.call(foreign, input, newContext({ deadlineMs: hour }), { deadlineMs: hour });
    await expect(call).rejects.toMatchObject({ kind: 'forbidden', mayHaveRun: false });
    await caller.broker.close();
  });

  it('do not let a service answer at an inbox that sent it no request', async () => {
    const [listener, forger] = [await connectAs('gateway'), await connectAs('template')];
    const heard: Msg[] = [];
    listener.nats.subscribe(`${inboxPrefixOf('gateway')}.abc.*`, { callback: collect(heard) });
    await listener.nats.flush();
    forger.nats.publish(`${inboxPrefixOf('gateway')}.abc.1`, '{}');
    await forger.nats.flush();
    await listener.nats.flush();
    expect(heard).toEqual([]);
    await Promise.all([listener.close(), forger.close()]);
  });
});
