import { beforeEach, describe, expect, it } from '@jest/globals';
import { createMetrics, type Metrics } from '../observability/metrics.ts';
import { ConcurrencyLimit, type ConcurrencySlot } from './concurrency-limit.ts';

describe('places that are shared', () => {
  let limit: ConcurrencyLimit;
  let metrics: Metrics;
  beforeEach(() => {
    metrics = createMetrics({ service: 'gateway', processMetrics: false });
    limit = new ConcurrencyLimit({ kind: 'requests', limit: 12, metrics });
  });

  const enter = (holder: string, weight?: number): ConcurrencySlot | undefined => {
    const place = limit.take(weight);
    if (!place || place.share(holder)) return place;
    place.leave();
    return undefined;
  };
  /** Takes places for a holder until one is refused. */
  const fill = (holder: string, weight?: number): ConcurrencySlot[] => {
    const held: ConcurrencySlot[] = [];
    for (let place = enter(holder, weight); place; place = enter(holder, weight)) held.push(place);
    return held;
  };

  it('are refused at once when all are taken', () => {
    const all = Array.from({ length: 12 }, () => limit.take());
    expect(limit.take()).toBeUndefined();
    all[0]?.leave();
    expect(limit.take()).toBeDefined();
  });

  it('go to one alone up to the half', () => {
    expect(fill('acme')).toHaveLength(6);
  });

  it('are left for others, whatever the order and however many holders there are', () => {
    const taken = ['a', 'b', 'c', 'd'].map((holder) => fill(holder).length);
    expect(taken).toEqual([6, 3, 1, 1]);
    expect(limit.taken).toBe(11);
    expect(limit.take()).toBeDefined();
  });

  it('come back when they are left, once', () => {
    const held = fill('acme');
    for (const place of held) {
      place.leave();
      place.leave();
    }
    expect(limit.taken).toBe(0);
    expect(fill('acme')).toHaveLength(6);
  });

  it('that were refused to their holder count for no other once they are left', () => {
    fill('acme');
    expect(limit.taken).toBe(6);
    expect(fill('other')).toHaveLength(3);
  });

  it('go to a heavy request in its weight, a quarter of all at most', () => {
    expect(fill('acme', 2)).toHaveLength(3);
    expect(limit.taken).toBe(6);
    expect(enter('other', 100)).toBeDefined();
    expect(limit.taken).toBe(9);
  });

  it('are shown with the refusals', async () => {
    fill('acme');
    while (limit.take());
    const page = await metrics.registry.metrics();
    for (const line of [
      'stanza_share_slots{kind="requests",of="held",service="gateway"} 12',
      'stanza_share_slots{kind="requests",of="largest",service="gateway"} 6',
      'stanza_share_refused_total{kind="requests",reason="share",service="gateway"} 1',
      'stanza_share_refused_total{kind="requests",reason="full",service="gateway"} 1',
    ])
      expect(page).toContain(line);
  });
});
