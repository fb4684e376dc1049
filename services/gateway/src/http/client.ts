import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type Client, clientAddress, type ProxyRules, peerAddress } from '@stanza/contracts';
import { keptUserAgent } from '@stanza/runtime';

/** The addresses of connections: each stays the same for as long as its connection lasts. */
const peers = new WeakMap<Socket, string | undefined>();

const peerOf = (socket: Socket): string | undefined => {
  const known = peers.get(socket);
  if (known !== undefined) return known;
  const peer = peerAddress(socket.remoteAddress);
  peers.set(socket, peer);
  return peer;
};

const addressOf = ({ socket, headers }: IncomingMessage, rules: ProxyRules): string | null => {
  const peer = peerOf(socket);
  return peer === undefined ? null : clientAddress(peer, headers, rules);
};

/** The header by which a request of a tool names the request of the agent that it is made for. */
export const originHeader = 'x-stanza-mcp-request';

/** The origins of requests of agents that are under way, by a name that cannot be guessed. */
export type Origins = Map<string, Client>;

/** The origin that a request names; undefined where no tool has made it. */
export const originIn = ({ headers }: IncomingMessage, origins: Origins): Client | undefined => {
  const name = headers[originHeader];
  return typeof name === 'string' ? origins.get(name) : undefined;
};

/** Finds the origin of a request: that of the agent's, where a tool has made it. */
export const clientOf =
  (rules: ProxyRules, origins: Origins = new Map()) =>
  (request: IncomingMessage): Client =>
    originIn(request, origins) ?? {
      address: addressOf(request, rules),
      user_agent: keptUserAgent(request.headers['user-agent']),
    };

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
