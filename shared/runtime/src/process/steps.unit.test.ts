import { expect, it } from '@jest/globals';
import { silentLogger } from '../observability/log.ts';
import { inSteps } from './steps.ts';

it('a failed step stops no other step, and fails the job at the end', async () => {
  const ran: string[] = [];
  const job = inSteps(silentLogger(), {
    first: async () => ran.push('first'),
    second: () => Promise.reject(new Error('the second')),
    third: () => Promise.reject(new Error('the third')),
    last: async () => ran.push('last'),
  });
  await expect(job()).rejects.toThrow('the second');
  expect(ran).toEqual(['first', 'last']);
});

it('a job whose process stops begins no other step', async () => {
  const stop = new AbortController();
  const ran: string[] = [];
  const job = inSteps(silentLogger(), {
    first: async () => {
      ran.push('first');
      stop.abort();
    },
    second: async () => ran.push('second'),
  });
  await job(stop.signal);
  expect(ran).toEqual(['first']);
});
