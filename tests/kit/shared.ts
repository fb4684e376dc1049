import { afterAll, beforeAll } from '@jest/globals';
import { limits } from './limits.ts';

/**
 * Shares what is slow to open among the tests of a block: it is opened before the first of them and closed after the
 * last. Blocks whose tests are all left out open nothing.
 * @returns answers what was opened; throws before the first test
 */
export const sharedByTests = <T extends { close(): Promise<unknown> }>(
  open: () => Promise<T>,
  openMs: number = limits.testMs,
): (() => T) => {
  let opened: T | undefined;
  beforeAll(async () => {
    opened = await open();
  }, openMs);
  afterAll(async () => {
    await opened?.close();
  }, openMs);
  return () => {
    if (opened === undefined) throw new Error('What tests share is open while they run, and not before.');
    return opened;
  };
};
