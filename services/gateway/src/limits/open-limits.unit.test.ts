import { describe, expect, it } from '@jest/globals';
import type { ConcurrencySlot } from '@stanza/runtime';
import { SteppedClock } from '@stanza/test-kit/service-world';
import { type OpenKind, OpenLimits } from './open-limits.ts';

const from = (address: string) => ({ address, user_agent: null });

describe('requests of callers who are not known', () => {
  const limitsOf = (limit: number) => new OpenLimits({ limit, clock: new SteppedClock() });
  /** Takes slots for a client until one is refused. */
  const fill = (limits: OpenLimits, kind: OpenKind, address: (at: number) => string): ConcurrencySlot[] => {
    const held: ConcurrencySlot[] = [];
    try {
      for (;;) held.push(limits.take(kind, from(address(held.length))));
    } catch {
      return held;
    }
  };

  it('of one kind hold up no other kind', () => {
    const limits = limitsOf(12);
    fill(limits, 'sign_ins', (at) => `192.0.2.${at}`);
    for (const kind of [
      'clicks',
      'returns',
      'sign_in_returns',
      'console_sessions',
      'unknown_agents',
      'authentications',
    ] as const)
      expect(fill(limits, kind, () => '192.0.2.1')).toHaveLength(6);
  });

  it('of one address get half of the slots, and the next address finds some', () => {
    const limits = limitsOf(12);
    expect(fill(limits, 'clicks', () => '192.0.2.1')).toHaveLength(6);
    expect(fill(limits, 'clicks', () => '192.0.2.2')).toHaveLength(3);
  });

  it.each([
    ['/64', 3, (at: number) => `2001:db8:1:1::${at}`],
    ['/56', 4, (at: number) => `2001:db8:1:${at}::1`],
    ['/48', 6, (at: number) => `2001:db8:1:${at}00::1`],
  ])('of one %s get %i of twelve slots, however many addresses they use', (_, expected, address) => {
    const limits = limitsOf(12);
    expect(fill(limits, 'clicks', address)).toHaveLength(expected);
    expect(fill(limits, 'clicks', () => '192.0.2.1').length).toBeGreaterThan(0);
  });

  it('are refused with a code that says that nothing was done, and the slot comes back', () => {
    const limits = limitsOf(1);
    const slot = limits.take('clicks', from('192.0.2.1'));
    expect(() => limits.take('clicks', from('192.0.2.1'))).toThrow(
      expect.objectContaining({
        code: 'service_unavailable',
        facts: expect.objectContaining({ nothing_done: true }),
      }),
    );
    slot.leave();
    expect(limits.taken('clicks')).toBe(0);
  });

  it('come back from the chat platform and from a provider 300 times a minute each for one address', () => {
    const clock = new SteppedClock();
    const limits = new OpenLimits({ limit: 12, clock });
    const comeBack = (address: string, kind: OpenKind = 'returns'): void =>
      limits.take(kind, from(address)).leave();
    for (let at = 0; at < 300; at += 1) comeBack('192.0.2.1');
    expect(() => comeBack('192.0.2.1')).toThrow(
      expect.objectContaining({ code: 'rate_limited', facts: expect.objectContaining({ retry_after: 60 }) }),
    );
    comeBack('192.0.2.1', 'sign_in_returns');
    comeBack('192.0.2.2');
    clock.pass(60_001);
    comeBack('192.0.2.1');
  });
});
