import { beforeEach, describe, expect, it } from '@jest/globals';
import { CodedError } from '@stanza/contracts';
import { RpcFailure } from '../rpc/failure.ts';
import { Granted } from './granted.ts';

const away = () => new RpcFailure('no_responders', 'organization.get-tier', false, true);
const minuteMs = 60_000;

describe('what organizations are granted', () => {
  let now: number;
  let asked: string[];
  /** Answers of the service, in order; the last one stays. */
  let answers: (() => Promise<string>)[];
  let granted: Granted<string>;

  const says = (text: string) => async () => text;
  const failsWith = (error: Error) => async () => {
    throw error;
  };

  beforeEach(() => {
    now = 0;
    asked = [];
    answers = [says('free')];
    const ask = async (organizationId: string) => {
      asked.push(organizationId);
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      return answer ? answer() : '';
    };
    granted = new Granted(ask, { now: () => new Date(now), monotonic: () => now });
  });

  it('is asked for once by callers at one time, and again half a minute later', async () => {
    expect(await Promise.all([granted.of('a'), granted.of('a'), granted.of('b')])).toEqual(
      Array(3).fill('free'),
    );
    expect(await granted.of('a')).toBe('free');
    expect(asked).toEqual(['a', 'b']);
    now += minuteMs / 2;
    answers = [says('pro')];
    expect(await granted.of('a')).toBe('pro');
  });

  it.each([
    ['of one organization', () => granted.forget('a')] as const,
    ['of all', () => granted.forgetAll()] as const,
  ])('is asked for anew after a change %s', async (_, forget) => {
    await granted.of('a');
    answers = [says('pro')];
    forget();
    expect(await granted.of('a')).toBe('pro');
  });

  it('keeps no answer to a question that was asked before a change', async () => {
    let answer = (_: string) => {};
    const first = new Promise<string>((resolve) => {
      answer = resolve;
    });
    answers = [() => first, says('pro')];
    const before = granted.of('a');
    granted.forget('a');
    expect(await granted.of('a')).toBe('pro');
    answer('free');
    expect(await before).toBe('free');
    expect(await granted.of('a')).toBe('pro');
  });

  it.each([
    ['nobody answers', away()],
    ['the database of the service is away', new CodedError('service_unavailable')],
  ])('is what was known, for an hour, while %s', async (_, error) => {
    await granted.of('a');
    answers = [failsWith(error)];
    granted.forget('a');
    expect(await granted.of('a')).toBe('free');
    now += 60 * minuteMs;
    await expect(granted.of('a')).rejects.toBe(error);
    await expect(granted.of('b')).rejects.toBe(error);
  });

  it('is refused as the service refuses it, whatever was known', async () => {
    await granted.of('a');
    answers = [failsWith(new CodedError('organization_not_found'))];
    granted.forgetAll();
    await expect(granted.of('a')).rejects.toMatchObject({ code: 'organization_not_found' });
  });
});
