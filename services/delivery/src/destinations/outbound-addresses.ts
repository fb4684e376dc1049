import ipaddr from 'ipaddr.js';

type Address = ReturnType<typeof ipaddr.process>;
type Range = ReturnType<typeof ipaddr.parseCIDR>;

/** What an operator lets destinations reach besides public addresses. */
export interface AllowedAddresses {
  readonly ranges: readonly Range[];
  /** Names in lower case; whatever they resolve to may be reached. */
  readonly hosts: ReadonlySet<string>;
}

/** All of IPv6 that is given out for the public; what is special inside it, the library knows. */
const publicV6 = ipaddr.parseCIDR('2000::/3');

/** What is special by the registries of IANA, and which the library takes for public; and what answers inside a cloud alone. */
const special = [
  '168.63.129.16/32',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '2001::/23',
  '2620:4f:8000::/48',
  '3fff::/20',
].map((range) => ipaddr.parseCIDR(range));

const within = (address: Address, [range, bits]: Range): boolean =>
  address.kind() === range.kind() && address.match(range, bits);

const isPublic = (address: Address): boolean => {
  if (address.range() !== 'unicast' || special.some((range) => within(address, range))) return false;
  return address.kind() === 'ipv4' || within(address, publicV6);
};

/** The address inside brackets, a name without the dot of the root; in lower case. */
export const plainHost = (hostname: string): string =>
  hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();

/** True for an address, which needs no look-up. No name holds a colon. */
export const isLiteral = (host: string): boolean => ipaddr.isValid(host) || host.includes(':');

/** Reads CIDRs, addresses and names, separated by commas; undefined when an entry is something else. */
export const parseAllowed = (text: string): AllowedAddresses | undefined => {
  const ranges: Range[] = [];
  const hosts = new Set<string>();
  for (const entry of text.split(',').map((it) => it.trim())) {
    if (entry === '') continue;
    const host = plainHost(entry);
    if (ipaddr.isValidCIDR(entry)) ranges.push(ipaddr.parseCIDR(entry));
    else if (ipaddr.isValid(host))
      ranges.push([ipaddr.parse(host), ipaddr.parse(host).kind() === 'ipv4' ? 32 : 128]);
    else if (/^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(host)) hosts.add(host);
    else return undefined;
  }
  return { ranges, hosts };
};

/** Reads addresses with their ports, separated by commas; undefined when an entry is not one. */
export const parseDenied = (text: string): ReadonlySet<string> | undefined => {
  const denied = new Set<string>();
  for (const entry of text.split(',').map((it) => it.trim())) {
    if (entry === '') continue;
    const [, host = '', port = ''] = /^(.+):(\d{1,5})$/.exec(entry) ?? [];
    const address = plainHost(host);
    if (!ipaddr.isValid(address)) return undefined;
    denied.add(placeOf(address, Number(port)));
  }
  return denied;
};

/** An IPv4-mapped IPv6 address counts as the IPv4 address. */
const placeOf = (address: string, port: number): string => `${ipaddr.process(address)} ${port}`;

/** Which ports an address may be reached on. */
export interface OutboundRules {
  allowed: AllowedAddresses;
  ports: ReadonlySet<number>;
  /** What is never reached, whatever allows it; see {@link parseDenied}. */
  denied?: ReadonlySet<string>;
}

/** Whether an address is one that nothing allows. */
export const isDenied = ({ denied }: OutboundRules, address: string, port: number): boolean =>
  denied !== undefined && ipaddr.isValid(address) && denied.has(placeOf(address, port));

/** Why an address must not be reached; undefined when it may. */
export const refusalOfAddress = (rules: OutboundRules, address: string, port: number): string | undefined => {
  const { allowed, ports } = rules;
  if (!ipaddr.isValid(address)) return 'is no address';
  if (isDenied(rules, address, port)) return 'is denied to destinations';
  // An IPv4 address in the clothes of IPv6 counts as what it is, for exceptions alone.
  const plain = ipaddr.process(address);
  if (allowed.ranges.some((range) => within(plain, range))) return undefined;
  if (!isPublic(ipaddr.parse(address))) return 'is no public address';
  return ports.has(port) ? undefined : `has the port ${port}, which is not enabled`;
};

const portOf = (url: URL): number =>
  url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);

/** Why the host of a URL must not be reached, as far as its text shows; names are looked up at each connection. */
export const refusalOfUrl = (rules: OutboundRules, url: URL): string | undefined => {
  const host = plainHost(url.hostname);
  if (isDenied(rules, host, portOf(url))) return 'is denied to destinations';
  if (rules.allowed.hosts.has(host)) return undefined;
  if (isLiteral(host)) return refusalOfAddress(rules, host, portOf(url));
  if (host === 'localhost' || host.endsWith('.localhost')) return 'is this machine';
  return undefined;
};
