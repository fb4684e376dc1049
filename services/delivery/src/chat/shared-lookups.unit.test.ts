import { describe, expect, it } from '@jest/globals';
import { CodedError } from '@stanza/contracts';
import { systemClock } from '@stanza/runtime';
import { Deadline } from '../deadline.ts';
import { SharedLookups } from './shared-lookups.ts';

const inASecond = () => Deadline.in(systemClock, 1_000);
const newLookups = () =>
  new SharedLookups({ max: 10, ttlMs: 60_000, late: () => new CodedError('service_unavailable') });

describe('shared lookups', () => {
  it('make one request for concurrent callers', async () => {
    const lookups = newLookups();
    let asked = 0;
    const ask = async () => `answer ${++asked}`;
    const answers = await Promise.all([1, 2, 3].map(() => lookups.get('key', inASecond(), ask)));
    expect([...answers, await lookups.get('key', inASecond(), ask)]).toEqual(Array(4).fill('answer 1'));
  });

  it('cache no failure', async () => {
    const lookups = newLookups();
    const failing = () => Promise.reject(new CodedError('chat_user_not_found'));
    await expect(lookups.get('key', inASecond(), failing)).rejects.toThrow(CodedError);
    expect(await lookups.get('key', inASecond(), async () => 'found')).toBe('found');
  });

  it('cache a failure where they keep failures, by its key', async () => {
    const late = () => new CodedError('service_unavailable');
    const lookups = new SharedLookups({ max: 10, ttlMs: 60_000, failedTtlMs: 60_000, late });
    const failing = () => Promise.reject(new CodedError('chat_user_not_found'));
    await expect(lookups.get('key', inASecond(), failing)).rejects.toThrow(CodedError);
    const found = async () => 'found';
    await expect(lookups.get('key', inASecond(), found)).rejects.toMatchObject({
      code: 'chat_user_not_found',
    });
    expect(await lookups.get('other', inASecond(), found)).toBe('found');
  });

  it('end for a caller at its deadline, and keep the answer for the next', async () => {
    const lookups = newLookups();
    const { promise, resolve } = Promise.withResolvers<string>();
    const hurried = lookups.get('key', Deadline.in(systemClock, 5), () => promise);
    const patient = lookups.get('key', inASecond(), () => promise);
    await expect(hurried).rejects.toMatchObject({ code: 'service_unavailable' });
    resolve('found');
    expect(await patient).toBe('found');
    expect(lookups.peek('key')).toBe('found');
  });

  it('ask again after an invalidation', async () => {
    const lookups = newLookups();
    await lookups.get('key', inASecond(), async () => 'old');
    lookups.forget('key');
    expect(await lookups.get('key', inASecond(), async () => 'new')).toBe('new');
  });
});
