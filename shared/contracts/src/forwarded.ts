import { type AddressRange, isInRanges, plainAddress } from './address-ranges.ts';

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

const isEscaped = (text: string, at: number): boolean => {
  let backslashes = 0;
  while (text[at - 1 - backslashes] === '\\') backslashes += 1;
  return backslashes % 2 === 1;
};

/**
 * The parts of a header, last first. A proxy quotes what its client chose, such as the host (RFC 7239, 4), so a separator in
 * quotes parts nothing. Read from the end: what a client wrote before has no say in what the proxies added.
 */
const partsFromEnd = (text: string, separator: ',' | ';'): string[] => {
  const parts: string[] = [];
  let isQuoted = false;
  let end = text.length;
  for (let at = text.length - 1; at >= 0; at -= 1) {
    if (text[at] === '"' && !isEscaped(text, at)) isQuoted = !isQuoted;
    else if (text[at] === separator && !isQuoted) {
      parts.push(text.slice(at + 1, end));
      end = at;
    }
  }
  return [...parts, text.slice(0, end)];
};

const forParameter = (element: string): string =>
  partsFromEnd(element, ';')
    .map((pair) => pair.trim())
    .findLast((pair) => /^for=/i.test(pair))
    ?.slice('for='.length) ?? '';

/** The addresses in the header, last first; undefined for an entry that is not an address. */
const namedBy = (given: string | string[] | undefined, header: ForwardedHeader): (string | undefined)[] => {
  if (given === undefined) return [];
  const nodes = partsFromEnd(Array.isArray(given) ? given.join(',') : given, ',');
  return nodes.map((node) => addressOf(header === 'forwarded' ? forParameter(node) : node));
};

/** The address of a connection in canonical form, without the zone of a link; undefined where there is none. */
export const peerAddress = (remoteAddress: string | undefined): string | undefined =>
  remoteAddress && plainAddress(remoteAddress.replace(/%.*$/, ''));

/**
 * The client address of a request: that of the connection, or, for a trusted proxy, the address that it reports, and so
 * on along the chain. Entries before the first untrusted address may be forged by the client and are ignored.
 * @param peer address of the connection
 * @param headers of the request, with names in lower case
 */
export const clientAddress = (
  peer: string,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  { trusted, header }: ProxyRules,
): string => {
  let address = peer;
  if (trusted.length === 0) return address;
  for (const named of namedBy(headers[header], header)) {
    if (named === undefined || !isInRanges(address, trusted)) return address;
    address = named;
  }
  return address;
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
 * What is taken for one client, widest first: an IPv4 address, or the /48, the /56 and the /64 of an IPv6 address. Within a
 * /64 one client has as many addresses as it likes, and a site is given a /56 or a /48.
 */
export const addressShares = (address: string): [string, ...string[]] => {
  if (!address.includes(':')) return [address];
  const groups = groupsOf(address).map((group) => group.padStart(4, '0'));
  const site = groups.slice(0, 3).join(':');
  const subnet = groups[3] ?? '0000';
  return [`${site}::/48`, `${site}:${subnet.slice(0, 2)}00::/56`, `${site}:${subnet}::/64`];
};
