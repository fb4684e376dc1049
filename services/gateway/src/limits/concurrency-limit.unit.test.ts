import { beforeEach, describe, expect, it } from '@jest/globals';
import { createMetrics } from '@stanza/runtime';
import { gatewayMetrics } from '../metrics.ts';
import { ConcurrencyLimit, type Place } from './concurrency-limit.ts';

describe('the places of a gateway', () => {
  let concurrencyLimit: ConcurrencyLimit;
  const metrics = gatewayMetrics(createMetrics({ service: 'gateway', processMetrics: false }));
  beforeEach(() => {
    concurrencyLimit = new ConcurrencyLimit(12, metrics);
  });

  const enter = (holder: string): Place => {
    const place = concurrencyLimit.take();
    try {
      place.share(holder);
    } catch (error) {
      place.leave();
      throw error;
    }
    return place;
  };
  /** Takes places for a holder until one is refused. */
  const fill = (holder: string): Place[] => {
    const held: Place[] = [];
    for (;;) {
      try {
        held.push(enter(holder));
      } catch (error) {
        expect(error).toMatchObject({
          code: 'service_unavailable',
          facts: { retry_after: 1, nothing_done: true },
        });
        return held;
      }
    }
  };

  it('are refused at once when all are taken', () => {
    const all = Array.from({ length: 12 }, () => concurrencyLimit.take());
    expect(() => concurrencyLimit.take()).toThrow('too much to do');
    all[0]?.leave();
    expect(() => concurrencyLimit.take()).not.toThrow();
  });

  it('go to one alone up to the half', () => {
    expect(fill('acme')).toHaveLength(6);
  });

  it('are left for others, whoever came first and however many there are', () => {
    const taken = ['a', 'b', 'c', 'd'].map((holder) => fill(holder).length);
    expect(taken).toEqual([6, 3, 1, 1]);
    expect(concurrencyLimit.taken).toBe(11);
    expect(() => concurrencyLimit.take()).not.toThrow();
  });

  it('come back when they are left, once', () => {
    const held = fill('acme');
    for (const place of held) {
      place.leave();
      place.leave();
    }
    expect(concurrencyLimit.taken).toBe(0);
    expect(fill('acme')).toHaveLength(6);
  });

  it('that were refused to their holder count for nobody once they are left', () => {
    fill('acme');
    expect(concurrencyLimit.taken).toBe(6);
    expect(fill('other')).toHaveLength(3);
  });
});
