import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { HostAddresses } from './host-addresses.ts';
import { parseAllowed } from './outbound-addresses.ts';
import { DestinationTransport } from './transport.ts';

const types: Record<number, 4 | 6> = { 1: 4, 28: 6 };

/** The name and the family that a question asks for. */
const readQuestion = (message: Buffer) => {
  const labels: string[] = [];
  let at = 12;
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), family: types[message.readUInt16BE(at + 1)], end: at + 5 };
};

const ttlSeconds = 30;

/** The answer to a question: addresses of IPv4, or that there is no such name. */
const answerTo = (message: Buffer, end: number, addresses: readonly string[] | undefined): Buffer => {
  const head = Buffer.from(message.subarray(0, 12));
  head.writeUInt16BE(addresses ? 0x8180 : 0x8183, 2);
  head.writeUInt16BE(addresses?.length ?? 0, 6);
  head.writeUInt32BE(0, 8);
  const records = (addresses ?? []).map((address) => {
    const record = Buffer.from('c00c00010001000000000004', 'hex');
    record.writeUInt32BE(ttlSeconds, 6);
    return Buffer.concat([record, Buffer.from(address.split('.').map(Number))]);
  });
  return Buffer.concat([head, message.subarray(12, end), ...records]);
};

describe('the addresses of hosts', () => {
  let socket: Socket;
  let servers: string[];
  const asked: string[] = [];
  /** Questions for names below `silent.test`, which get no answer. */
  const unanswered = new Set<string>();
  let answers: Record<string, readonly string[]> = {};

  beforeEach(async () => {
    asked.splice(0);
    unanswered.clear();
    answers = { 'quick.test': ['127.0.0.1'] };
    socket = createSocket('udp4').on('message', (message: Buffer, from: RemoteInfo) => {
      const { name, family, end } = readQuestion(message);
      asked.push(`${name} ${family}`);
      if (name.endsWith('silent.test')) return void unanswered.add(name);
      const addresses = name in answers && family === 6 ? [] : answers[name];
      socket.send(answerTo(message, end, addresses), from.port, from.address);
    });
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    servers = [`127.0.0.1:${socket.address().port}`];
  });
  afterEach(() => void socket.close());

  it('are those of both families, and kept for as long as their records say', async () => {
    let now = 0;
    const clock = { now: () => new Date(now), monotonic: () => now };
    const hosts = new HostAddresses({ servers, clock });
    now = 1;
    expect(await hosts.find('quick.test')).toEqual([{ address: '127.0.0.1', family: 4 }]);
    expect(asked.toSorted()).toEqual(['quick.test 4', 'quick.test 6']);
    answers = { 'quick.test': ['127.0.0.2'] };
    now += ttlSeconds * 1_000 - 1;
    expect(await hosts.find('quick.test')).toEqual([{ address: '127.0.0.1', family: 4 }]);
    expect(asked).toHaveLength(2);
    now += 2;
    expect(await hosts.find('quick.test')).toEqual([{ address: '127.0.0.2', family: 4 }]);
  });

  it('are asked for once by all who ask at one time', async () => {
    const hosts = new HostAddresses({ servers });
    await Promise.all([hosts.find('quick.test'), hosts.find('quick.test'), hosts.find('quick.test')]);
    expect(asked).toHaveLength(2);
  });

  it('of an unknown name are none, and it is not asked for again at once', async () => {
    const hosts = new HostAddresses({ servers });
    for (let tries = 0; tries < 2; tries++)
      await expect(hosts.find('unknown.test')).rejects.toMatchObject({ code: 'ENOTFOUND' });
    expect(asked).toHaveLength(2);
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
    const slow = Array.from({ length: 8 }, (_, at) =>
      send(`${at}.silent.test`, 10_000).finally(() => ended.push('silent')),
    );
    const quick = await send('quick.test', 60_000).finally(() => ended.push('quick'));
    expect(quick).toMatchObject({ outcome: 'delivered' });
    expect(ended).toEqual(['quick']);
    for (const reply of await Promise.all(slow)) expect(reply).toMatchObject({ outcome: 'not_sent' });
    expect(unanswered.size).toBe(8);
    receiver.close();
  });
});
