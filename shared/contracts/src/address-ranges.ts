import { isIPv4, isIPv6 } from 'node:net';
import { z } from 'zod';

/** An IP address as a number; an IPv4-mapped IPv6 address (`::ffff:192.0.2.1`) counts as the IPv4 address. */
interface Address {
  bits: 32 | 128;
  value: bigint;
}

/** The addresses whose first `prefix` bits are those of `first`. */
export interface AddressRange {
  readonly bits: 32 | 128;
  readonly first: bigint;
  readonly prefix: number;
}

const ofParts = (parts: readonly string[], radix: 10 | 16): bigint =>
  parts.reduce(
    (sum, part) => (sum << (radix === 10 ? 8n : 16n)) | BigInt(Number.parseInt(part || '0', radix)),
    0n,
  );

/** Eight groups, of which `::` leaves out those that are zero. */
const groupsOf = (text: string): string[] => {
  const [head = '', tail] = text.split('::');
  const before = head === '' ? [] : head.split(':');
  if (tail === undefined) return before;
  const after = tail === '' ? [] : tail.split(':');
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => '0'), ...after];
};

/** The URL parser writes the last four bytes in hexadecimal too, where they were given with dots. */
const hexadecimal = (text: string): string => new URL(`http://[${text}]/`).hostname.slice(1, -1);

const parseAddress = (text: string): Address | undefined => {
  if (isIPv4(text)) return { bits: 32, value: ofParts(text.split('.'), 10) };
  if (!isIPv6(text) || text.includes('%')) return undefined;
  const value = ofParts(groupsOf(hexadecimal(text)), 16);
  return value >> 32n === 0xffffn ? { bits: 32, value: value & 0xffff_ffffn } : { bits: 128, value };
};

const textOf = ({ bits, value }: Address): string => {
  if (bits === 128) {
    const groups = Array.from({ length: 8 }, (_, at) =>
      ((value >> BigInt(112 - 16 * at)) & 0xffffn).toString(16),
    );
    return hexadecimal(groups.join(':'));
  }
  return [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 0xffn)).join('.');
};

/** An address in the canonical form for logs, storage and comparisons; undefined for any other text. */
export const plainAddress = (text: string): string | undefined => {
  const address = parseAddress(text);
  return address && textOf(address);
};

const networkOf = ({ bits, value }: Address, prefix: number): bigint => {
  const rest = BigInt(bits - prefix);
  return (value >> rest) << rest;
};

/**
 * Parses a CIDR, or a single address.
 * @throws Error that describes the problem
 */
export const parseAddressRange = (text: string): AddressRange => {
  const [address = '', length, ...more] = text.split('/');
  const parsed = parseAddress(address);
  const isMapped = parsed?.bits === 32 && address.includes(':');
  if (
    !parsed ||
    isMapped ||
    more.length > 0 ||
    (length !== undefined && !/^(0|[1-9]\d{0,2})$/.test(length))
  ) {
    throw new Error('must be an address or a CIDR of IPv4 or IPv6, like 203.0.113.0/24 or 2001:db8::/32');
  }
  const { bits } = parsed;
  const prefix = length === undefined ? bits : Number(length);
  if (prefix > bits) throw new Error(`has a prefix longer than ${bits} bits`);
  const first = networkOf(parsed, prefix);
  if (first === parsed.value) return { bits, first, prefix };
  const network = textOf({ bits, value: first });
  throw new Error(
    `has bits beyond its prefix: give ${network}/${prefix} for the range, or ${address}/${bits} for the one address`,
  );
};

/** A range in its canonical form. */
export const addressRangeText = ({ bits, first, prefix }: AddressRange): string =>
  `${textOf({ bits, value: first })}/${prefix}`;

/** Whether a range contains every address of another. */
export const isWithinRange = (inner: AddressRange, outer: AddressRange): boolean =>
  inner.bits === outer.bits &&
  inner.prefix >= outer.prefix &&
  networkOf({ bits: inner.bits, value: inner.first }, outer.prefix) === outer.first;

/** Whether an address is in any of the given ranges; false for an invalid address. */
export const isInRanges = (address: string, ranges: readonly AddressRange[]): boolean => {
  const parsed = parseAddress(address);
  if (!parsed) return false;
  const only: AddressRange = { bits: parsed.bits, first: parsed.value, prefix: parsed.bits };
  return ranges.some((range) => isWithinRange(only, range));
};

/** A CIDR or an address, transformed into its canonical form. */
export const addressRange = z
  .string()
  .max(64)
  .transform((text, context) => {
    try {
      return addressRangeText(parseAddressRange(text));
    } catch (error) {
      context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : 'is not a CIDR' });
      return z.NEVER;
    }
  })
  .meta({ example: '203.0.113.0/24' });
