import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createMetrics, silentLogger, systemClock } from '@stanza/runtime';
import { gatewayMetrics } from '../metrics.ts';
import { looksOfSecond } from './looks.ts';
import { streamReadTurns } from './shared-reads.ts';
import { Streams } from './streams.ts';

describe('the looks of streams', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('begin with the first stream, and end with the last', () => {
    const registry = createMetrics({ service: 'gateway', processMetrics: false });
    const metrics = gatewayMetrics(registry);
    const readTurns = streamReadTurns(registry);
    const options = { most: 30, lifetimeS: 900, readTurns, clock: systemClock, log: silentLogger(), metrics };
    const streams = new Streams(options);
    const look = jest.spyOn(streams, 'look');
    const looksInASecond = () => {
      look.mockClear();
      jest.advanceTimersByTime(1_000);
      return look.mock.calls.length;
    };
    expect(looksInASecond()).toBe(0);
    const [first, second] = [streams.take('one'), streams.take('another')];
    expect(looksInASecond()).toBe(looksOfSecond);
    first.leave();
    expect(looksInASecond()).toBe(looksOfSecond);
    second.leave();
    expect(looksInASecond()).toBe(0);
    expect(jest.getTimerCount()).toBe(0);
  });
});
