import type { StackOptions } from '@stanza/local';
import { type OwnStack, startOwnStack } from '../kit/own-stack.ts';
import type { BenchMode } from './row.ts';

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

/** The stack that checks share, from the first that asks for it. */
let shared: Promise<OwnStack> | undefined;

/**
 * Does something on a fresh stack. A check, whose figures nobody reads, takes the one that all checks share, with its
 * usual settings, since starting a stack costs more than most checks do.
 */
export const onStackOf = async <T>(
  mode: BenchMode,
  options: Omit<StackOptions, 'directory'>,
  work: (bench: BenchStack) => Promise<T>,
): Promise<T> => {
  if (mode === 'full') return onStack(options, work);
  shared ??= startOwnStack('bench', { port: 0 });
  return work(await shared);
};

/** Ends the stack that checks have shared. */
export const endSharedStack = async (): Promise<void> => {
  await (await shared)?.close();
};
