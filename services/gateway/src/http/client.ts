import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type AddressRange, type Client, isInRanges, plainAddress } from '@stanza/contracts';
import { keptUserAgent } from '@stanza/runtime';

/** The header in which trusted proxies report the client. */
export type ForwardedHeader = 'x-forwarded-for' | 'forwarded';

/** The trusted proxies, and the header that they write. */
export interface ProxyRules {
  /** Empty: the address of the connection is the client's, and headers are ignored. */
  trusted: readonly AddressRange[];
  header: ForwardedHeader;
}

/** A node of RFC 7239, 6: an address, bracketed and quoted for IPv6, optionally with a port. */
const addressOf = (node: string): string | undefined => {
  const text = node.trim().replace(/^"(.*)"$/, '$1');
  const bracketed = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(text);
  if (bracketed?.[1] !== undefined) return plainAddress(bracketed[1]);
  return plainAddress(text) ?? plainAddress(text.replace(/:\d{1,5}$/, ''));
};

const forParameter = (element: string): string =>
  element
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => /^for=/i.test(pair))
    ?.slice('for='.length) ?? '';

/** The addresses in the header, last first; undefined for an entry that is not an address. */
const namedBy = ({ headers }: IncomingMessage, header: ForwardedHeader): (string | undefined)[] => {
  const given = headers[header];
  if (given === undefined) return [];
  const nodes = (Array.isArray(given) ? given.join(',') : given).split(',').reverse();
  return nodes.map((node) => addressOf(header === 'forwarded' ? forParameter(node) : node));
};

/** The addresses of connections: each stays the same for as long as its connection lasts. */
const peers = new WeakMap<Socket, string | undefined>();

const peerOf = (socket: Socket): string | undefined => {
  const known = peers.get(socket);
  if (known !== undefined) return known;
  const peer = socket.remoteAddress && plainAddress(socket.remoteAddress.replace(/%.*$/, ''));
  peers.set(socket, peer);
  return peer;
};

/**
 * The client address of a request: that of the connection, or, for a trusted proxy, the address that it reports, and so
 * on along the chain. Entries before the first untrusted address may be forged by the client and are ignored.
 */
const clientAddress = (request: IncomingMessage, { trusted, header }: ProxyRules): string | null => {
  let address = peerOf(request.socket);
  if (address === undefined || trusted.length === 0) return address ?? null;
  for (const named of namedBy(request, header)) {
    if (named === undefined || !isInRanges(address, trusted)) return address;
    address = named;
  }
  return address;
};

/** Finds the origin of a request. */
export const clientOf =
  (rules: ProxyRules) =>
  (request: IncomingMessage): Client => ({
    address: clientAddress(request, rules),
    user_agent: keptUserAgent(request.headers['user-agent']),
  });

/** The eight groups of an IPv6 address, written out. */
const groupsOf = (address: string): string[] => {
  const [head = '', tail] = address.split('::');
  const before = head.split(':').filter((group) => group !== '');
  if (tail === undefined) return before;
  const after = tail.split(':').filter((group) => group !== '');
  return [...before, ...Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0'), ...after];
};

/**
 * Who shares places as one client, widest first: an IPv4 address, or the /48, the /56 and the /64 of an IPv6 address. Within
 * a /64 one client has as many addresses as it likes, and a site is given a /56 or a /48.
 */
export const clientShares = ({ address }: Client): string[] => {
  if (address === null) return ['unknown'];
  if (!address.includes(':')) return [address];
  const groups = groupsOf(address).map((group) => group.padStart(4, '0'));
  const site = groups.slice(0, 3).join(':');
  const subnet = groups[3] ?? '0000';
  return [`${site}::/48`, `${site}:${subnet.slice(0, 2)}00::/56`, `${site}:${subnet}::/64`];
};
