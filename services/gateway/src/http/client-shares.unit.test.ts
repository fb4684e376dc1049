import { describe, expect, it } from '@jest/globals';
import { clientShares } from './client.ts';

const sharesOf = (address: string | null): string[] => clientShares({ address, user_agent: null });

describe('clients that share places', () => {
  it('are told apart by their IPv4 address', () => {
    expect([sharesOf('192.0.2.1'), sharesOf('192.0.2.2')]).toEqual([['192.0.2.1'], ['192.0.2.2']]);
  });

  it('are one within the /64, and share the /56 and the /48, of an IPv6 address, however it is written', () => {
    const written = ['2001:db8:1:2f3::1', '2001:db8:1:2f3:ffff::', '2001:0db8:1:02f3:3:4:5:6'];
    for (const address of written)
      expect(sharesOf(address)).toEqual([
        '2001:0db8:0001::/48',
        '2001:0db8:0001:0200::/56',
        '2001:0db8:0001:02f3::/64',
      ]);
    expect(sharesOf('::1')).toEqual([
      '0000:0000:0000::/48',
      '0000:0000:0000:0000::/56',
      '0000:0000:0000:0000::/64',
    ]);
  });

  it('are one where no address is known', () => {
    expect(sharesOf(null)).toEqual(['unknown']);
  });
});
