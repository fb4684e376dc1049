import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { newContext } from '../rpc/context.ts';
import { handle } from '../rpc/handler.ts';
import { startTestNats, type TestNats } from '../testing/nats.ts';
import { echo, type TestProcess, testProcess } from '../testing/rpc.ts';
import { until } from '../testing/wait.ts';
import { lostAfterMs } from './broker.ts';

let nats: TestNats;
const opened: TestProcess[] = [];

beforeEach(async () => {
  nats = await startTestNats();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ broker }) => broker.close()));
  await nats.close();
});

const connect = async (options: Partial<Parameters<typeof testProcess>[0]> = {}): Promise<TestProcess> => {
  const made = await testProcess({ url: nats.url, ...options });
  opened.push(made);
  return made;
};

const context = () => newContext({ deadlineMs: 5_000 });

describe('a broker without TLS', () => {
  it('is refused where the address asks for TLS, so that it is given no password', async () => {
    const refused = connect({ url: nats.url.replace('nats://', 'tls://') });
    await expect(refused).rejects.toThrow("server does not support 'tls'");
  });
});

describe('a broker that is killed', () => {
  it('fails the calls in flight at once; they may have run', async () => {
    const [server, client] = [await connect(), await connect()];
    let begun = 0;
    await server.serve([
      handle(echo, () => {
        begun++;
        return new Promise(() => undefined);
      }),
    ]);
    const failed = expect(client.rpc.call(echo, 1, context())).rejects.toMatchObject({
      kind: 'disconnected',
      mayHaveRun: true,
    });
    await until(() => begun === 1);
    await nats.kill();
    await failed;
  });

  it('makes calls fail at once during the outage, and none of them runs later', async () => {
    const [server, client] = [await connect(), await connect()];
    const heard: unknown[] = [];
    await server.serve([
      handle(echo, async ({ input }) => {
        heard.push(input);
      }),
    ]);
    await nats.kill();
    await until(() => !client.broker.connected);
    await expect(client.rpc.call(echo, 'while away', context())).rejects.toMatchObject({
      kind: 'disconnected',
      mayHaveRun: false,
    });
    await nats.restart();
    await until(() => client.broker.connected && server.broker.connected);
    await client.rpc.call(echo, 'afterwards', context());
    expect(heard).toEqual(['afterwards']);
  });

  it('is reconnected although the clock was set back by a day meanwhile', async () => {
    const client = await connect();
    await nats.kill();
    await until(() => !client.broker.connected);
    const real = Date.now;
    const setBack = jest.spyOn(Date, 'now').mockImplementation(() => real() - 24 * 3_600_000);
    try {
      await nats.restart();
      await until(() => client.broker.connected);
    } finally {
      setBack.mockRestore();
    }
  });

  it('is reconnected by every process, whose subscriptions still work', async () => {
    const [server, client] = [await connect(), await connect()];
    await server.serve([handle(echo, async ({ input }) => input)]);
    let reconnects = 0;
    client.broker.onReconnect(() => reconnects++);
    for (const round of [1, 2]) {
      await nats.kill();
      await until(() => !client.broker.connected && !server.broker.connected);
      await nats.restart();
      await until(() => client.broker.connected && server.broker.connected);
      expect(await client.rpc.call(echo, round, context())).toBe(round);
    }
    expect(reconnects).toBe(2);
    expect(server.broker.fault).toBeUndefined();
  });

  it('is waited for, longer than an orchestrator holds back a process that keeps ending', () => {
    expect(lostAfterMs).toBeGreaterThan(5 * 60_000);
  });

  it('ends a process that is disconnected for too long', async () => {
    const lost = Promise.withResolvers<string>();
    await connect({ lostAfterMs: 100, onLost: lost.resolve });
    await nats.kill();
    expect(await lost.promise).toContain('no NATS connection');
  });

  it('does not keep a process from closing', async () => {
    const client = await connect();
    await nats.kill();
    await until(() => !client.broker.connected);
    await client.broker.close();
    expect(client.broker.nats.isClosed()).toBe(true);
  });
});

describe('a broker that is not there at the start', () => {
  it('is waited for', async () => {
    await nats.kill();
    const connecting = testProcess({ url: nats.url, patienceMs: 10_000 });
    await nats.restart();
    opened.push(await connecting);
    expect(opened[0]?.broker.connected).toBe(true);
  });

  it('is reported at once without patience', async () => {
    await nats.kill();
    await expect(testProcess({ url: nats.url })).rejects.toThrow();
  });
});
