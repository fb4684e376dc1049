import { describe, expect, it } from '@jest/globals';
import { decide, isFault } from './delivery-decision.ts';
import type { OutboundReply } from './outbound-reply.ts';

const middle = 0.5;
const destination = {
  retry_enabled: true,
  max_retries: 2,
  retry_strategy: 'fixed',
  retry_initial_delay_ms: 1_000,
  retry_max_delay_ms: 30_000,
} as const;
const first = { retries: 1, origin: 'batch' } as const;

const replied = (httpStatus: number): OutboundReply => ({
  outcome: httpStatus < 300 ? 'delivered' : 'refused',
  httpStatus,
  latencyMs: 5,
});
const lost: OutboundReply = { outcome: 'lost', error: 'timeout', latencyMs: 1_000 };
const unreached: OutboundReply = { outcome: 'not_sent', error: 'econnrefused', latencyMs: 5 };
const forbidden: OutboundReply = { outcome: 'not_sent', error: 'address_refused', latencyMs: 5 };

describe('the decision after an attempt', () => {
  it.each([200, 201, 204, 299])('is delivered after an answer of %d', (status) => {
    expect(decide(replied(status), destination, first, middle)).toEqual({ status: 'delivered' });
  });

  it.each([
    ['408', replied(408), 'destination_failed'],
    ['429', replied(429), 'destination_failed'],
    ['500', replied(500), 'destination_failed'],
    ['503', replied(503), 'destination_failed'],
    ['a lost answer', lost, 'delivery_outcome_unknown'],
    ['a refused connection', unreached, 'destination_failed'],
  ] as const)('is another attempt after %s while retries are left', (_, reply, error) => {
    const again = { status: 'waiting', error, delayMs: 1_000 };
    expect(decide(reply, destination, { ...first, retries: 2 }, middle)).toEqual(again);
    expect(decide(reply, destination, { ...first, retries: 3 }, middle)).toEqual({ status: 'failed', error });
  });

  it.each([301, 400, 401, 404, 410, 422])('is a permanent failure after an answer of %d', (status) => {
    const decision = decide(replied(status), destination, first, middle);
    expect(decision).toEqual({ status: 'failed', error: 'destination_failed' });
  });

  it('is a permanent failure where the address must not be reached', () => {
    const decision = decide(forbidden, destination, first, middle);
    expect(decision).toEqual({ status: 'failed', error: 'destination_address_refused' });
  });

  it('is unknown without retries when the answer is lost, and failed when nothing was sent', () => {
    const once = { ...destination, retry_enabled: false };
    for (const [policy, delivery] of [
      [once, first],
      [destination, { ...first, origin: 'test' }],
    ] as const) {
      expect(decide(lost, policy, delivery, middle)).toMatchObject({ status: 'unknown' });
      expect(decide(unreached, policy, delivery, middle)).toMatchObject({ status: 'failed' });
    }
  });

  it('counts as a failure of the host only when the host is the cause', () => {
    expect([lost, unreached, replied(500)].map(isFault)).toEqual([true, true, true]);
    const others = [replied(200), replied(301), replied(404), replied(429), forbidden];
    expect(others.some(isFault)).toBe(false);
  });
});
