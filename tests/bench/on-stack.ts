import type { StackOptions } from '@stanza/local';
import { type OwnStack, startOwnStack } from '../kit/own-stack.ts';

/** A stack of a bench's own, and the world of the tests on it. */
export type BenchStack = Omit<OwnStack, 'close'>;

/** Does something on a fresh stack, which is gone afterwards, whatever happens. */
export const onStack = async <T>(
  options: Omit<StackOptions, 'directory'>,
  work: (bench: BenchStack) => Promise<T>,
): Promise<T> => {
  const own = await startOwnStack('bench', { port: 0, ...options });
  try {
    return await work(own);
  } finally {
    await own.close();
  }
};
