import { describe, expect, it } from '@jest/globals';
import { CodedError } from '@stanza/contracts';
import { RpcFailure } from '../rpc/failure.ts';
import { PermanentFailure, UnfinishedWork } from './consume.ts';
import { verdictOn } from './verdict.ts';

const bug = new Error('undefined is not a function');
const middle = 0.5;

describe('the verdict on work that failed', () => {
  it('is another delivery, later each time, up to half a minute', () => {
    const delays = [1, 2, 3, 4, 7, 11].map((failures) => verdictOn(bug, failures, middle));
    expect(delays.map((it) => (it.kind === 'later' ? it.delayMs : it.kind))).toEqual([
      500, 1_000, 2_000, 4_000, 30_000, 30_000,
    ]);
  });

  it('spreads the deliveries by a quarter to either side', () => {
    expect(verdictOn(bug, 1, 0)).toEqual({ kind: 'later', delayMs: 375 });
    expect(verdictOn(bug, 1, 1)).toEqual({ kind: 'later', delayMs: 625 });
  });

  it('is a dead letter after twelve failures', () => {
    expect(verdictOn(bug, 11, middle).kind).toBe('later');
    expect(verdictOn(bug, 12, middle).kind).toBe('dead');
  });

  it('is a dead letter at once for a permanent error', () => {
    expect(verdictOn(new PermanentFailure('no'), 1, middle).kind).toBe('dead');
  });

  it('is another delivery soon for work that has made progress, however often it was delivered', () => {
    expect(verdictOn(new UnfinishedWork('more'), 1_000, middle)).toEqual({ kind: 'later', delayMs: 500 });
  });

  it.each([
    ['an outage of the database', new CodedError('service_unavailable')],
    ['a service that does not answer', new RpcFailure('timeout', 'x', true)],
    ['a rate limit', new CodedError('rate_limited')],
  ])('is never a dead letter because of %s', (_what, error) => {
    expect(verdictOn(error, 1_000, middle)).toEqual({ kind: 'later', delayMs: 30_000 });
  });
});
