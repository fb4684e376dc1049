import type { IncomingMessage } from 'node:http';
import { type AddressRange, type Client, isInRanges, plainAddress } from '@stanza/contracts';
import { keptUserAgent } from '@stanza/runtime';

/** The header in which trusted proxies name the client. */
export type ForwardedHeader = 'x-forwarded-for' | 'forwarded';

/** Which proxies are believed, and where they say it. */
export interface ProxyRules {
  /** None: the address of the connection is the client's, whatever a header says. */
  trusted: readonly AddressRange[];
  header: ForwardedHeader;
}

/** A node of RFC 7239, 6: an address, in brackets and quotes where it is IPv6, with a port or without. */
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

/**
 * The address that a request came from: that of its connection, or, where that is a trusted proxy's, the one that the
 * proxy names, and so on along the chain. What stands before the first address that is not trusted, the client may have
 * written itself, and is not looked at.
 */
const clientAddress = (request: IncomingMessage, { trusted, header }: ProxyRules): string | null => {
  const peer = request.socket.remoteAddress;
  let address = peer === undefined ? undefined : plainAddress(peer.replace(/%.*$/, ''));
  if (address === undefined || trusted.length === 0) return address ?? null;
  for (const named of namedBy(request, header)) {
    if (named === undefined || !isInRanges(address, trusted)) return address;
    address = named;
  }
  return address;
};

/** Where a request came from. */
export const clientOf = (request: IncomingMessage, rules: ProxyRules): Client => ({
  address: clientAddress(request, rules),
  user_agent: keptUserAgent(request.headers['user-agent']),
});
