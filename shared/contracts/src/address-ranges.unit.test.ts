import { describe, expect, it } from '@jest/globals';
import {
  addressRange,
  addressRangeText,
  isInRanges,
  isWithinRange,
  parseAddressRange,
  plainAddress,
} from './address-ranges.ts';

describe('a range of addresses', () => {
  it.each([
    ['203.0.113.0/24', '203.0.113.0/24'],
    ['203.0.113.7', '203.0.113.7/32'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['2001:DB8:0::/32', '2001:db8::/32'],
    ['::1', '::1/128'],
    ['::/0', '::/0'],
  ])('%s is kept as %s', (given, kept) => {
    expect(addressRangeText(parseAddressRange(given))).toBe(kept);
    expect(addressRange.parse(given)).toBe(kept);
  });

  it.each([
    ['', 'must be an address or a CIDR'],
    ['example.com', 'must be an address or a CIDR'],
    ['203.0.113', 'must be an address or a CIDR'],
    ['203.0.113.0/', 'must be an address or a CIDR'],
    ['203.0.113.0/024', 'must be an address or a CIDR'],
    ['203.0.113.0/24/24', 'must be an address or a CIDR'],
    ['010.0.0.1', 'must be an address or a CIDR'],
    ['fe80::1%eth0', 'must be an address or a CIDR'],
    ['::ffff:203.0.113.7', 'must be an address or a CIDR'],
    ['203.0.113.0/33', 'longer than 32 bits'],
    ['::/129', 'longer than 128 bits'],
    ['203.0.113.7/24', 'give 203.0.113.0/24 for the range, or 203.0.113.7/32 for the one address'],
  ])('%j is refused: %s', (given, message) => {
    expect(addressRange.safeParse(given).error?.issues[0]?.message).toContain(message);
  });

  it.each([
    ['203.0.113.255', ['203.0.113.0/24'], true],
    ['203.0.114.0', ['203.0.113.0/24'], false],
    ['198.51.100.1', ['0.0.0.0/0'], true],
    ['2001:db8:ffff::1', ['2001:db8::/32'], true],
    ['2001:db9::1', ['2001:db8::/32'], false],
    ['::1', ['0.0.0.0/0'], false],
    ['203.0.113.1', ['::/0'], false],
    ['::ffff:203.0.113.1', ['203.0.113.0/24'], true],
    ['203.0.113.1', [], false],
    ['nonsense', ['0.0.0.0/0', '::/0'], false],
  ])('of %s and %j says %p', (address, ranges, expected) => {
    expect(isInRanges(address, ranges.map(parseAddressRange))).toBe(expected);
  });

  it('is within a wider one of its family alone', () => {
    const within = (inner: string, outer: string) =>
      isWithinRange(parseAddressRange(inner), parseAddressRange(outer));
    expect(within('10.1.0.0/16', '10.0.0.0/8')).toBe(true);
    expect(within('10.0.0.0/8', '10.0.0.0/8')).toBe(true);
    expect(within('10.0.0.0/8', '10.1.0.0/16')).toBe(false);
    expect(within('11.0.0.0/16', '10.0.0.0/8')).toBe(false);
    expect(within('10.0.0.0/8', '::/0')).toBe(false);
  });
});

describe('an address', () => {
  it.each([
    ['2001:0db8:0000::0001', '2001:db8::1'],
    ['::ffff:c000:201', '192.0.2.1'],
    ['192.0.2.1', '192.0.2.1'],
    ['192.0.2.1:80', undefined],
    ['[::1]', undefined],
  ])('%s is %p', (given, plain) => {
    expect(plainAddress(given)).toBe(plain);
  });
});
