import { describe, expect, it } from '@jest/globals';
import { clientShare } from './client.ts';

const shareOf = (address: string | null): string => clientShare({ address, user_agent: null });

describe('clients that share places', () => {
  it('are told apart by their IPv4 address', () => {
    expect(shareOf('192.0.2.1')).not.toBe(shareOf('192.0.2.2'));
  });

  it('are one within the /64 of an IPv6 address, however it is written', () => {
    const one = ['2001:db8:1:2::1', '2001:db8:1:2:ffff::', '2001:db8:1:2:3:4:5:6'].map(shareOf);
    expect(new Set(one)).toEqual(new Set(['2001:db8:1:2::/64']));
    expect(shareOf('2001:db8:1:3::1')).not.toBe(one[0]);
    expect(shareOf('::1')).toBe('0:0:0:0::/64');
  });

  it('are one where no address is known', () => {
    expect(shareOf(null)).toBe('unknown');
  });
});
