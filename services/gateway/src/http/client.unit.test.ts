import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { type ForwardedHeader, newApiKey, parseAddressRange } from '@stanza/contracts';
import { clientOf } from './client.ts';

const requestFrom = (remoteAddress: string, headers: Record<string, string> = {}): IncomingMessage => {
  const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress });
  return Object.assign(new IncomingMessage(socket), { headers });
};

const trusting = (proxies: readonly string[], header: ForwardedHeader = 'x-forwarded-for') => ({
  trusted: proxies.map(parseAddressRange),
  header,
});

describe('the address of a client', () => {
  const addressFor = (
    peer: string,
    headers: Record<string, string>,
    proxies: readonly string[] = [],
    header?: ForwardedHeader,
  ) => clientOf(trusting(proxies, header))(requestFrom(peer, headers)).address;

  it.each([
    ['198.51.100.9', '198.51.100.9'],
    ['::ffff:198.51.100.9', '198.51.100.9'],
    ['2001:DB8:0:0::1', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
  ])('is that of its connection, %s, in canonical form', (peer, address) => {
    expect(addressFor(peer, {})).toBe(address);
  });

  it.each(['x-forwarded-for', 'forwarded', 'x-real-ip', 'x-client-ip', 'cf-connecting-ip'])(
    'ignores %s sent by the client without trusted proxies',
    (name) => {
      const headers = { [name]: name === 'forwarded' ? 'for=192.0.2.1' : '192.0.2.1' };
      expect(addressFor('198.51.100.9', headers)).toBe('198.51.100.9');
      expect(addressFor('198.51.100.9', headers, ['10.0.0.0/8'])).toBe('198.51.100.9');
    },
  );

  it('is the one reported by trusted proxies, over any number of them', () => {
    const chain = { 'x-forwarded-for': '192.0.2.1, 10.0.0.2,10.0.0.3' };
    expect(addressFor('10.0.0.4', chain, ['10.0.0.0/8'])).toBe('192.0.2.1');
    expect(addressFor('::ffff:10.0.0.4', chain, ['10.0.0.4'])).toBe('10.0.0.3');
    expect(addressFor('2001:db8::4', { 'x-forwarded-for': '192.0.2.1:4711' }, ['2001:db8::/32'])).toBe(
      '192.0.2.1',
    );
    expect(addressFor('10.0.0.4', {}, ['10.0.0.0/8'])).toBe('10.0.0.4');
  });

  it('ignores entries before the first untrusted address, which the client may have forged', () => {
    const spoofed = { 'x-forwarded-for': '10.9.9.9, 127.0.0.1, 192.0.2.1' };
    expect(addressFor('10.0.0.4', spoofed, ['10.0.0.0/8', '127.0.0.1'])).toBe('192.0.2.1');
    const broken = { 'x-forwarded-for': '192.0.2.7, unknown, 10.0.0.2' };
    expect(addressFor('10.0.0.4', broken, ['10.0.0.0/8'])).toBe('10.0.0.2');
  });

  it('is read only from the header that the proxies write', () => {
    const both = { 'x-forwarded-for': '192.0.2.1', forwarded: 'for=192.0.2.66' };
    expect(addressFor('10.0.0.4', both, ['10.0.0.0/8'])).toBe('192.0.2.1');
    expect(addressFor('10.0.0.4', both, ['10.0.0.0/8'], 'forwarded')).toBe('192.0.2.66');
    const long = { forwarded: 'for="[2001:db8::9]:4711";proto=https;by=10.0.0.4, For=10.0.0.7' };
    expect(addressFor('10.0.0.4', long, ['10.0.0.0/8'], 'forwarded')).toBe('2001:db8::9');
    expect(addressFor('10.0.0.4', { forwarded: 'for=_hidden' }, ['10.0.0.0/8'], 'forwarded')).toBe(
      '10.0.0.4',
    );
  });
});

describe('what a client has a proxy quote in Forwarded', () => {
  it.each([
    ['a list in the host', 'for=192.0.2.1;host="a,for=203.0.113.9;x=";proto=https'],
    ['an escaped quote', String.raw`for=192.0.2.1;host="a\",for=203.0.113.9;x=\"b"`],
    ['a pair in the host', 'host="a;for=203.0.113.9;x=";for=192.0.2.1'],
    ['a quote that the client has left open', 'for="203.0.113.9, for=192.0.2.1;host="a"'],
  ])('names no address: %s', (_, forwarded) => {
    const rules = trusting(['10.0.0.0/8'], 'forwarded');
    expect(clientOf(rules)(requestFrom('10.0.0.4', { forwarded })).address).toBe('192.0.2.1');
  });
});

describe('the user agent of a client', () => {
  const agentOf = (agent?: string) =>
    clientOf(trusting([]))(requestFrom('198.51.100.9', agent === undefined ? {} : { 'user-agent': agent }))
      .user_agent;

  it('is kept unchanged if it is ordinary, and null if absent', () => {
    const agent = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0';
    expect(agentOf(agent)).toBe(agent);
    expect(agentOf()).toBeNull();
    expect(agentOf(' ')).toBeNull();
  });

  it('is reduced to one line of printable characters, and truncated', () => {
    expect(agentOf('curl/8\r\n{"level":"fatal"}\u001b[2J\u00e9')).toBe('curl/8 {"level":"fatal"} [2J');
    expect(agentOf('word '.repeat(4_000))).toHaveLength(256);
  });

  it('is stripped of secrets', () => {
    const key = newApiKey('production');
    const secret = 'Zm9vYmFyYmF6cXV4'.repeat(4);
    const jwt = `eyJhbGciOiJFUzI1NiJ9.${'a'.repeat(400)}.c2ln`;
    for (const agent of [`bot ${key}`, `bot ${secret}`, `bot Bearer ${key}`, `bot ${jwt}`]) {
      expect(agentOf(agent)).toMatch(/^bot (Bearer )?\[redacted\]/);
      expect(agentOf(agent)).not.toMatch(/stz_live|Zm9v|aaaa/);
    }
  });
});
