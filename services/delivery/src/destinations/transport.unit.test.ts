import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import { parseAllowed, parseDenied, refusalOfUrl } from './outbound-addresses.ts';
import type { OutboundReply } from './outbound-reply.ts';
import { DestinationTransport, type Resolve } from './transport.ts';

/** Where a name leads, in place of DNS. */
const names: Record<string, readonly string[]> = {
  'internal.example.com': ['10.1.2.3'],
  'loopback.example.com': ['127.0.0.1'],
  'six.example.com': ['::1'],
  'mapped.example.com': ['::ffff:10.0.0.1'],
  'metadata.google.internal': ['169.254.169.254'],
  'half.example.com': ['93.184.215.14', '192.168.0.10'],
  'nat64.example.com': ['64:ff9b::7f00:1'],
  'unique.example.com': ['fd12:3456:789a::1'],
  'zone.example.com': ['fe80::1%eth0'],
  'nonsense.example.com': ['not an address'],
  localhost: ['127.0.0.1', '::1'],
  'app.localhost': ['127.0.0.1'],
  '127.0.0.1.nip.io': ['127.0.0.1'],
};

/** Addresses that a destination must not be reached at. */
const refused = [
  // this machine
  'http://127.0.0.1/',
  'http://127.0.0.1:443/',
  'http://127.8.9.10/',
  'http://127.1/',
  'http://0/',
  'http://0.0.0.0/',
  'http://0.1.2.3/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0x7f.0.0.1/',
  'http://017700000001/',
  'http://0177.0.0.1/',
  'http://0177.0x0.0.01/',
  'http://127.0.0.1./',
  'http://%31%32%37.0.0.1/',
  'http://①②⑦.⓪.⓪.①/',
  'http://[::]/',
  'http://[::1]/',
  'http://[0:0:0:0:0:0:0:1]/',
  'http://[0000::0001]:443/',
  'https://localhost/',
  'https://LOCALHOST./',
  'https://app.localhost/',
  'https://127.0.0.1.nip.io/',
  // private networks
  'http://10.0.0.1/',
  'http://10.255.255.255/',
  'http://167772161/',
  'http://012.1.2.3/',
  'http://172.16.0.1/',
  'http://172.31.255.254/',
  'http://192.168.1.1/',
  'http://0xc0a80101/',
  'http://100.64.0.1/',
  'http://100.127.255.254/',
  'http://[fc00::1]/',
  'http://[fd00:ec2::254]/',
  'http://[fec0::1]/',
  // the link, and what clouds tell there
  'http://169.254.169.254/latest/meta-data/',
  'http://2852039166/',
  'http://0xa9fea9fe/',
  'http://0251.0376.0251.0376/',
  'http://169.254.170.2/',
  'http://168.63.129.16/',
  'http://[fe80::1]/',
  'http://[::ffff:169.254.169.254]/',
  'http://[::ffff:a9fe:a9fe]/',
  // IPv4 in the clothes of IPv6
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[::127.0.0.1]/',
  'http://[::ffff:0:127.0.0.1]/',
  'http://[64:ff9b::127.0.0.1]/',
  'http://[64:ff9b::a9fe:a9fe]/',
  'http://[64:ff9b:1::a00:1]/',
  'http://[2002:7f00:1::]/',
  'http://[2002:a00:1::1]/',
  'http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/',
  // nobody's, everybody's, and documentation's
  'http://192.0.0.1/',
  'http://192.0.2.1/',
  'http://192.88.99.1/',
  'http://198.18.0.1/',
  'http://198.19.255.255/',
  'http://198.51.100.7/',
  'http://203.0.113.7/',
  'http://224.0.0.1/',
  'http://239.255.255.250/',
  'http://240.0.0.1/',
  'http://255.255.255.255/',
  'http://[100::1]/',
  'http://[2001:db8::1]/',
  'http://[2001:2::1]/',
  'http://[2001:20::1]/',
  'http://[3fff::1]/',
  'http://[5f00::1]/',
  'http://[ff02::1]/',
  // names that lead there
  'https://internal.example.com/',
  'https://loopback.example.com/',
  'https://six.example.com/',
  'https://mapped.example.com/',
  'https://metadata.google.internal/',
  'https://half.example.com/',
  'https://nat64.example.com/',
  'https://unique.example.com/',
  'https://zone.example.com/',
  'https://nonsense.example.com/',
  // ports that are no web server's
  'http://93.184.215.14:22/',
  'http://93.184.215.14:6379/',
  'https://[2606:4700::1]:5432/',
];

const resolveNames: Resolve = (host, found) => {
  const addresses = names[host]?.map(
    (address): LookupAddress => ({
      address,
      family: address.includes(':') ? 6 : 4,
    }),
  );
  if (addresses) found(null, addresses);
  else found(new Error(`${host} is not in the test's names`), []);
};

const rulesFor = (allow: string) => {
  const allowed = parseAllowed(allow);
  if (!allowed) throw new Error(`${allow} cannot be read`);
  return { allowed, ports: new Set([80, 443]) };
};

const transportFor = (allow: string, resolve: Resolve = resolveNames) => {
  const counted = { refused: 0 };
  const onRefused = () => {
    counted.refused += 1;
  };
  return { counted, transport: new DestinationTransport({ rules: rulesFor(allow), onRefused, resolve }) };
};

const post = (transport: DestinationTransport, url: string): Promise<OutboundReply> =>
  transport.send({ url, method: 'POST', headers: {}, body: '{}', timeoutMs: 1_000 });

describe('the connection to a destination', () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  /** A server on an address of this machine, which counts what it gets. */
  const serve = async (address: string, port = 0, location?: string) => {
    const got = { requests: 0, port: 0 };
    const server = createServer((_request, response) => {
      got.requests += 1;
      response.writeHead(location ? 302 : 200, location ? { location } : {}).end();
    });
    servers.push(server.listen(port, address));
    await once(server, 'listening');
    const bound = server.address();
    got.port = typeof bound === 'object' && bound ? bound.port : 0;
    return got;
  };

  it.each(refused)('is refused to %s', async (url) => {
    const { transport, counted } = transportFor('');
    const reply = await post(transport, url);
    expect(reply).toMatchObject({ outcome: 'not_sent', error: 'address_refused' });
    expect(counted.refused).toBe(1);
  });

  it('is refused to more than sixty addresses', () => {
    expect(new Set(refused).size).toBeGreaterThan(60);
  });

  it('is made to what the operator allows, on any port: by range, by address, by name', async () => {
    const { port } = await serve('127.0.0.1');
    for (const [allow, host] of [
      ['127.0.0.0/8', '127.0.0.1'],
      ['10.0.0.1, 127.0.0.1', 'loopback.example.com'],
      ['Loopback.example.com', 'loopback.example.com'],
    ] as const) {
      const reply = await post(transportFor(allow).transport, `http://${host}:${port}/`);
      expect([allow, reply.outcome]).toEqual([allow, 'delivered']);
    }
    const other = await post(transportFor('other.example.com').transport, `http://127.0.0.1:${port}/`);
    expect(other.error).toBe('address_refused');
  });

  it('is refused to what the operator denies, though its range, its address or its name is allowed', async () => {
    const { port } = await serve('127.0.0.1');
    const allowed = parseAllowed('127.0.0.0/8,::1,loopback.example.com');
    const denied = parseDenied(`127.0.0.1:${port},[::1]:${port}`);
    if (!allowed || !denied) throw new Error('these are addresses');
    const rules = { allowed, denied, ports: new Set([443]) };
    const hosts = [
      '127.0.0.1',
      '[::ffff:127.0.0.1]',
      '127.1',
      'loopback.example.com',
      '[::1]',
      'six.example.com',
    ];
    for (const host of hosts) {
      const url = `http://${host}:${port}/`;
      const options = { rules, onRefused: () => undefined, resolve: resolveNames };
      const reply = await post(new DestinationTransport(options), url);
      expect([host, reply.outcome, reply.error]).toEqual([host, 'not_sent', 'address_refused']);
    }
    expect(refusalOfUrl(rules, new URL(`http://127.1:${port}/`))).toBe('is denied to destinations');
    expect(refusalOfUrl(rules, new URL(`http://127.1:${port + 1}/`))).toBeUndefined();
    expect([parseDenied('127.0.0.1'), parseDenied('name:80')]).toEqual([undefined, undefined]);
  });

  it('goes to the checked address, though the name resolves to another one afterwards', async () => {
    const allowed = await serve('127.0.0.2');
    const inside = await serve('127.0.0.1', allowed.port);
    const answers = ['127.0.0.2', '127.0.0.1', '127.0.0.2'];
    const asked: string[] = [];
    const resolve: Resolve = (host, found) => {
      asked.push(host);
      found(null, [{ address: answers[asked.length - 1] ?? '127.0.0.1', family: 4 }]);
    };
    const { transport } = transportFor('127.0.0.2/32', resolve);
    const url = `http://rebound.example.com:${allowed.port}/`;
    expect(await post(transport, url)).toMatchObject({ outcome: 'delivered' });
    expect(await post(transport, url)).toMatchObject({ outcome: 'not_sent', error: 'address_refused' });
    // Asked once for each connection, so that nothing can change between the check and the connection.
    expect(asked).toHaveLength(2);
    expect([allowed.requests, inside.requests]).toEqual([1, 0]);
  });

  it('follows no redirect', async () => {
    const inside = await serve('127.0.0.1');
    const { port } = await serve('127.0.0.1', 0, `http://127.0.0.1:${inside.port}/latest/meta-data/`);
    const { transport } = transportFor('127.0.0.1');
    const reply = await post(transport, `http://127.0.0.1:${port}/`);
    expect(reply).toMatchObject({ outcome: 'refused', httpStatus: 302, error: 'redirect' });
    expect(inside.requests).toBe(0);
  });

  it('An answer in a content encoding is named, and its bytes are not shown', async () => {
    const server = createServer((_request, response) => {
      response.writeHead(500, { 'content-encoding': 'gzip' }).end(gzipSync('out of order'));
    });
    servers.push(server.listen(0, '127.0.0.1'));
    await once(server, 'listening');
    const { transport } = transportFor('127.0.0.1');
    const { port } = Object(server.address());
    expect(await post(transport, `http://127.0.0.1:${port}/`)).toMatchObject({
      httpStatus: 500,
      response: '(the answer is not shown: its content encoding is gzip)',
    });
  });

  it('reports that nothing was sent where the port is closed, and where the name is unknown', async () => {
    const { port } = await serve('127.0.0.1');
    for (const server of servers.splice(0)) server.close();
    const { transport } = transportFor('127.0.0.1');
    expect(await post(transport, `http://127.0.0.1:${port}/`)).toMatchObject({
      outcome: 'not_sent',
      error: 'econnrefused',
    });
    expect(await post(transport, 'https://unknown.example.com/')).toMatchObject({ outcome: 'not_sent' });
  });
});
