import { describe, expect, it } from '@jest/globals';
import { isJob, mayBeRepeated } from '../operation.ts';
import * as jobs from './jobs.ts';

const declared = Object.values({ ...jobs, ...jobs.eraseOrganization }).flatMap((it) =>
  typeof it === 'object' && 'kind' in it && isJob(it) ? [it] : [],
);

describe('a job whose receiver does not answer', () => {
  it('is called again at another replica, unless it is long', () => {
    const notAgain = declared.filter((it) => !mayBeRepeated(it)).map(({ id }) => id);
    expect(notAgain).toEqual(Object.values(jobs.eraseOrganization).map(({ id }) => id));
    expect(declared.length).toBeGreaterThan(notAgain.length);
  });
});
