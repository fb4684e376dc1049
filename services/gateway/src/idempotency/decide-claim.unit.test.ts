import { describe, expect, it } from '@jest/globals';
import { CodedError } from '@stanza/contracts';
import { RpcFailure } from '@stanza/runtime';
import type { IdempotencyRow } from '../store/tables.ts';
import { answerOfTaken, didNothing, keptMsOf, mayBeRunning } from './decide-claim.ts';

const at = new Date('2026-11-21T08:00:00.000Z');
const later = (milliseconds: number): Date => new Date(at.getTime() + milliseconds);

const running: IdempotencyRow = {
  organization_id: 'o',
  environment: 'production',
  operation: 'send-template',
  key: 'k',
  operation_id: 'one',
  fingerprint: Buffer.from('same'),
  request_id: 'r',
  actor_id: 'a',
  claimed_at: at,
  released_at: null,
  completed_at: null,
  settled: false,
  status: null,
  content_type: null,
  body: null,
  expires_at: null,
};
const completed: IdempotencyRow = {
  ...running,
  completed_at: at,
  status: 200,
  content_type: 'application/json',
  body: Buffer.from('{}'),
  expires_at: later(1),
};
const same = Buffer.from('same');
const other = Buffer.from('other');
const refusal = (code: string) => expect.objectContaining({ code });

describe('a key that is taken', () => {
  it('replays the answer to the same request, and conflicts with another', () => {
    expect(answerOfTaken(completed, same)).toMatchObject({ status: 200, body: Buffer.from('{}') });
    expect(() => answerOfTaken(completed, other)).toThrow(refusal('idempotency_conflict'));
  });

  it('is in progress while there is no answer, for any request', () => {
    for (const fingerprint of [same, other]) {
      expect(() => answerOfTaken(running, fingerprint)).toThrow(refusal('idempotency_in_progress'));
    }
  });

  it('and released conflicts with another request', () => {
    const released = { ...running, released_at: at };
    expect(() => answerOfTaken(released, other)).toThrow(refusal('idempotency_conflict'));
  });
});

describe('an answer', () => {
  it('below 500 is kept for 24 hours, one above as long as configured', () => {
    const day = 24 * 60 * 60_000;
    for (const status of [200, 404, 499]) expect(keptMsOf(status, 90)).toBe(day);
    for (const status of [500, 503]) expect(keptMsOf(status, 90)).toBe(90 * day);
  });

  it('of a request that changed nothing is not kept', () => {
    expect(didNothing(new CodedError('rate_limited'))).toBe(true);
    expect(didNothing(new CodedError('tier_limit'))).toBe(true);
    expect(didNothing(new CodedError('service_unavailable', { nothing_done: true }))).toBe(true);
    expect(didNothing(new RpcFailure('no_responders', 'x', false).toCoded())).toBe(true);
  });

  it('of a request that may have changed something is kept', () => {
    expect(didNothing(new CodedError('service_unavailable'))).toBe(false);
    expect(didNothing(new CodedError('delivery_outcome_unknown'))).toBe(false);
    expect(didNothing(new CodedError('template_not_found'))).toBe(false);
    expect(didNothing(new RpcFailure('timeout', 'x', true).toCoded())).toBe(false);
  });
});

describe('a claim without an answer', () => {
  it('may be running for the timeout of its operation and a margin, unless it was released', () => {
    expect(mayBeRunning({ ...running, claimed_ms_ago: 19_999 }, 15_000)).toBe(true);
    expect(mayBeRunning({ ...running, claimed_ms_ago: 20_000 }, 15_000)).toBe(false);
    expect(mayBeRunning({ released_at: at, claimed_ms_ago: 0 }, 15_000)).toBe(false);
  });
});
