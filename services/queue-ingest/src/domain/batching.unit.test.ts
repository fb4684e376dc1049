import { describe, expect, it } from '@jest/globals';
import { append, endOf, isTooSmallFor, openBatch } from './batching.ts';
import type { Policy } from './tables.ts';

const target = {
  template_id: null,
  channel_id: 'C1',
  recipient_email: null,
  recipient_chat_id: null,
  destination_id: null,
};
const none = { window_seconds: null, max_window_seconds: null, threshold: null, max_wait_seconds: null };
const rolling: Policy = {
  name: 'rolling',
  mode: 'rolling_window',
  ...target,
  ...none,
  window_seconds: 10,
  max_window_seconds: 25,
};
const fixed: Policy = {
  name: 'fixed',
  mode: 'fixed_volume',
  ...target,
  ...none,
  threshold: 3,
  max_wait_seconds: 60,
};

const start = Date.parse('2026-11-21T08:00:00.000Z');
const at = (seconds: number): Date => new Date(start + seconds * 1_000);
const secondsOf = (moment: Date): number => (moment.getTime() - start) / 1_000;
const one = { events: 1, bytes: 100 };

describe('a rolling window', () => {
  it('is extended by each push, up to its maximum', () => {
    let batch = openBatch('b', rolling, at(0));
    const ends = [0, 8, 16, 24].map((second) => {
      ({ batch } = append(batch, one, at(second)));
      return secondsOf(batch.window_end);
    });
    expect(ends).toEqual([10, 18, 25, 25]);
  });

  it('is not shortened by a replica whose clock is behind', () => {
    let { batch } = append(openBatch('b', rolling, at(0)), one, at(5));
    ({ batch } = append(batch, one, at(3)));
    expect(secondsOf(batch.window_end)).toBe(15);
  });

  it('ends after a quiet window, or at its maximum', () => {
    const { batch } = append(openBatch('b', rolling, at(0)), one, at(0));
    expect(endOf(batch, at(9.999))).toBeUndefined();
    expect(endOf(batch, at(10))).toBe('window_elapsed');
    const extended = append(batch, one, at(20)).batch;
    expect(endOf(extended, at(25))).toBe('max_window');
  });

  it('lasts ten windows at most without a maximum in the policy', () => {
    const batch = openBatch('b', { ...rolling, max_window_seconds: null }, at(0));
    expect(secondsOf(batch.latest_end)).toBe(100);
  });
});

describe('a fixed volume', () => {
  it('closes at its threshold, with the whole push that reaches it', () => {
    const two = append(openBatch('b', fixed, at(0)), { events: 2, bytes: 1 }, at(0));
    expect(two.closes).toBeUndefined();
    const five = append(two.batch, { events: 3, bytes: 1 }, at(1));
    expect(five).toMatchObject({ closes: 'threshold', batch: { event_count: 5 } });
  });

  it('ends after its longest wait', () => {
    const { batch } = append(openBatch('b', fixed, at(0)), one, at(30));
    expect(endOf(batch, at(59))).toBeUndefined();
    expect(endOf(batch, at(60))).toBe('max_wait');
  });
});

describe('any batch', () => {
  it('has no room for a push that would exceed 1,000 events or 4 MiB', () => {
    const full = { ...openBatch('b', rolling, at(0)), event_count: 950, byte_count: 4 * 1024 * 1024 - 10 };
    expect(isTooSmallFor(full, { events: 50, bytes: 10 })).toBe(false);
    expect(isTooSmallFor(full, { events: 51, bytes: 10 })).toBe(true);
    expect(isTooSmallFor(full, { events: 50, bytes: 11 })).toBe(true);
  });

  it('is closed when it is full', () => {
    const nearly = { ...openBatch('b', rolling, at(0)), event_count: 950 };
    expect(append(nearly, { events: 50, bytes: 1 }, at(1)).closes).toBe('size');
  });
});
