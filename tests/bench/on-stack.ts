import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Stack, type StackOptions, startStack } from '@stanza/stack';
import { openWorld, type World } from '../support/stack.ts';

/** A stack of a bench's own, and the world of the tests on it. */
export interface BenchStack {
  stack: Stack;
  world: World;
  directory: string;
}

/** Does something on a fresh stack, which is gone afterwards, whatever happens. */
export const onStack = async <T>(
  options: Omit<StackOptions, 'directory'>,
  work: (bench: BenchStack) => Promise<T>,
): Promise<T> => {
  const directory = await mkdtemp(join(tmpdir(), 'stanza-bench-'));
  try {
    const stack = await startStack({ port: 0, ...options, directory });
    try {
      const world = await openWorld(stack.info);
      try {
        return await work({ stack, world, directory });
      } finally {
        await world.close();
      }
    } finally {
      await stack.stop();
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
};
