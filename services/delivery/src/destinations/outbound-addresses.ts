import ipaddr from 'ipaddr.js';

type Address = ReturnType<typeof ipaddr.process>;
type Range = ReturnType<typeof ipaddr.parseCIDR>;

/** Addresses that an operator allows to destinations besides public ones. */
export interface AllowedAddresses {
  readonly ranges: readonly Range[];
  /** Names in lower case, allowed with any address they resolve to. */
  readonly hosts: ReadonlySet<string>;
}

/** All of IPv6 that is assigned to the public; the library knows the special ranges inside it. */
const publicV6 = ipaddr.parseCIDR('2000::/3');

/**
 * Special ranges by the IANA registries that the library treats as public, and addresses that exist only inside clouds.
 */
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

/** The address without brackets, or a name without the trailing dot; in lower case. */
export const plainHost = (hostname: string): string =>
  hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();

/** True for an address, which needs no lookup. No name contains a colon. */
export const isLiteral = (host: string): boolean => ipaddr.isValid(host) || host.includes(':');

/** Parses CIDRs, addresses and names, separated by commas; undefined for an invalid entry. */
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

/** Parses addresses with their ports, separated by commas; undefined for an invalid entry. */
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

/** The allowed ports of an address. */
export interface OutboundRules {
  allowed: AllowedAddresses;
  ports: ReadonlySet<number>;
  /** Addresses that are always denied; see {@link parseDenied}. */
  denied?: ReadonlySet<string>;
}

/** Whether nothing allows an address. */
export const isDenied = ({ denied }: OutboundRules, address: string, port: number): boolean =>
  denied !== undefined && ipaddr.isValid(address) && denied.has(placeOf(address, port));

/** Why an address is not allowed, such as a private address (SSRF); undefined when it is. */
export const refusalOfAddress = (rules: OutboundRules, address: string, port: number): string | undefined => {
  const { allowed, ports } = rules;
  if (!ipaddr.isValid(address)) return 'is not an address';
  if (isDenied(rules, address, port)) return 'is denied to destinations';
  // An IPv4-mapped IPv6 address counts as the IPv4 address, for exceptions only.
  const plain = ipaddr.process(address);
  if (allowed.ranges.some((range) => within(plain, range))) return undefined;
  if (!isPublic(ipaddr.parse(address))) return 'is not a public address';
  return ports.has(port) ? undefined : `has the port ${port}, which is not enabled`;
};

const portOf = (url: URL): number =>
  url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);

/** Why the host of a URL is not allowed, as far as its text shows; names are resolved at each connection. */
export const refusalOfUrl = (rules: OutboundRules, url: URL): string | undefined => {
  const host = plainHost(url.hostname);
  if (isDenied(rules, host, portOf(url))) return 'is denied to destinations';
  if (rules.allowed.hosts.has(host)) return undefined;
  if (isLiteral(host)) return refusalOfAddress(rules, host, portOf(url));
  if (host === 'localhost' || host.endsWith('.localhost')) return 'is this machine';
  return undefined;
};
