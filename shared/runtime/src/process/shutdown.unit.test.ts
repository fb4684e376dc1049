import { describe, expect, it } from '@jest/globals';
import { silentLogger } from '../observability/log.ts';
import { shutDown } from './shutdown.ts';

const steps = (done: string[], ...runs: [string, () => Promise<void>][]) =>
  runs.map(([name, run]) => ({
    name,
    run: async () => {
      await run();
      done.push(name);
    },
  }));

const well = () => Promise.resolve();

describe('a shutdown', () => {
  it('runs its steps in order', async () => {
    const done: string[] = [];
    expect(await shutDown(steps(done, ['a', well], ['b', well], ['c', well]), silentLogger())).toBe(true);
    expect(done).toEqual(['a', 'b', 'c']);
  });

  it('continues after a failed step, and is then not clean', async () => {
    const done: string[] = [];
    const failing = () => Promise.reject(new Error('x'));
    expect(await shutDown(steps(done, ['a', failing], ['b', well]), silentLogger())).toBe(false);
    expect(done).toEqual(['b']);
  });

  it('skips the remaining steps at the timeout', async () => {
    const done: string[] = [];
    const hanging = () => new Promise<void>(() => undefined);
    expect(await shutDown(steps(done, ['a', well], ['b', hanging], ['c', well]), silentLogger(), 20)).toBe(
      false,
    );
    expect(done).toEqual(['a']);
  });
});
