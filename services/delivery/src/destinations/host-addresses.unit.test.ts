import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type NameServer, startNameServer, ttlSeconds } from '@stanza/test-kit/name-server';
import { HostAddresses } from './host-addresses.ts';
import { parseAllowed } from './outbound-addresses.ts';
import { DestinationTransport } from './transport.ts';

describe('the addresses of hosts', () => {
  let server: NameServer;
  let servers: string[];

  beforeEach(async () => {
    server = await startNameServer();
    server.addresses.set('quick.test', ['127.0.0.1']);
    servers = [server.address];
  });
  afterEach(() => server.close());

  it('are those of both families, and kept for as long as their records say', async () => {
    let now = 0;
    const clock = { now: () => new Date(now), monotonic: () => now };
    const hosts = new HostAddresses({ servers, clock });
    now = 1;
    expect(await hosts.find('quick.test')).toEqual([{ address: '127.0.0.1', family: 4 }]);
    expect(server.asked.toSorted()).toEqual(['quick.test 4', 'quick.test 6']);
    server.addresses.set('quick.test', ['127.0.0.2']);
    now += ttlSeconds * 1_000 - 1;
    expect(await hosts.find('quick.test')).toEqual([{ address: '127.0.0.1', family: 4 }]);
    expect(server.asked).toHaveLength(2);
    now += 2;
    expect(await hosts.find('quick.test')).toEqual([{ address: '127.0.0.2', family: 4 }]);
  });

  it('are asked for once by all who ask at one time', async () => {
    const hosts = new HostAddresses({ servers });
    await Promise.all([hosts.find('quick.test'), hosts.find('quick.test'), hosts.find('quick.test')]);
    expect(server.asked).toHaveLength(2);
  });

  it('of an unknown name are none, and it is not asked for again at once', async () => {
    const hosts = new HostAddresses({ servers });
    for (let tries = 0; tries < 2; tries++)
      await expect(hosts.find('unknown.test')).rejects.toMatchObject({ code: 'ENOTFOUND' });
    expect(server.asked).toHaveLength(2);
  });

  it('of a name that only the machine knows are asked of the machine, one at a time', async () => {
    const underWay: string[] = [];
    const first = Promise.withResolvers<void>();
    const hosts = new HostAddresses({
      servers,
      isLocal: (host) => host.startsWith('here'),
      askMachine: async (host) => {
        underWay.push(host);
        if (underWay.length === 1) await first.promise;
        return [{ address: '127.0.0.1', family: 4 }];
      },
    });
    const both = Promise.all([hosts.find('here-1.test'), hosts.find('here-2.test')]);
    await expect(hosts.find('there.test')).rejects.toMatchObject({ code: 'ENOTFOUND' });
    first.resolve();
    expect(await both).toHaveLength(2);
    expect(underWay.toSorted()).toEqual(['here-1.test', 'here-2.test']);
  });

  it('of a name that the machine is silent about are given up in time, and so are those of names behind it', async () => {
    const underWay: string[] = [];
    const first = Promise.withResolvers<void>();
    const hosts = new HostAddresses({
      servers,
      isLocal: () => true,
      machineMs: 50,
      askMachine: async (host) => {
        underWay.push(host);
        if (underWay.length === 1) await first.promise;
        return [{ address: '127.0.0.1', family: 4 }];
      },
    });
    const outcomes = await Promise.allSettled([hosts.find('here-1.test'), hosts.find('here-2.test')]);
    expect(outcomes).toEqual(
      Array(2).fill({ status: 'rejected', reason: expect.objectContaining({ code: 'ETIMEOUT' }) }),
    );
    expect(underWay).toHaveLength(1);
    // The lookup that took a thread ends: nobody waits for the second name, and names are asked of the machine again.
    first.resolve();
    expect(await hosts.find('here-3.test')).toEqual([{ address: '127.0.0.1', family: 4 }]);
    expect(underWay).toEqual([underWay[0], 'here-3.test']);
  });

  it('whose name server is silent hold up no other destination', async () => {
    const receiver = createServer((_request, response) => response.end()).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const address = receiver.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const allowed = parseAllowed('127.0.0.1');
    if (!allowed) throw new Error('this is an address');
    const transport = new DestinationTransport({
      rules: { allowed, ports: new Set([port]) },
      onRefused: () => undefined,
      resolve: new HostAddresses({ servers }).resolve,
    });
    const send = (host: string, timeoutMs: number) =>
      transport.send({ url: `http://${host}:${port}/`, method: 'POST', headers: {}, body: '{}', timeoutMs });
    const ended: string[] = [];
    // Twice as many as a process has threads.
    const names = Array.from({ length: 8 }, (_, at) => `${at}.silent.test`);
    for (const name of names) server.silent.add(name);
    const slow = names.map((name) => send(name, 10_000).finally(() => ended.push('silent')));
    const quick = await send('quick.test', 60_000).finally(() => ended.push('quick'));
    expect(quick).toMatchObject({ outcome: 'delivered' });
    expect(ended).toEqual(['quick']);
    for (const reply of await Promise.all(slow)) expect(reply).toMatchObject({ outcome: 'not_sent' });
    expect(server.asked).toEqual(expect.arrayContaining(names.map((name) => `${name} 4`)));
    receiver.close();
  });
});
