import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { addressShares, type Client, clientAddress, type ProxyRules, peerAddress } from '@stanza/contracts';
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

/** Who shares places as one client, widest first. */
export const clientShares = ({ address }: Client): string[] =>
  address === null ? ['unknown'] : addressShares(address);
