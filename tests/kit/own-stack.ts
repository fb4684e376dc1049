import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Stack, type StackOptions, startStack } from '@stanza/local';
import type { OrganizationOptions } from './organization.ts';
import { foundIn, type OwnOrganization, openWorld, type World } from './stack.ts';

/** A stack that one file of tests, or one bench, has to itself. */
export interface OwnStack {
  /** Where its data, secrets and logs are; gone once it is closed. */
  directory: string;
  stack: Stack;
  world: World;
  /** Stops all of it and forgets it. */
  close(): Promise<void>;
}

/**
 * Starts a stack in a folder of its own, and opens it. Nothing is left behind when it does not start.
 * @param name says in the folder's name whose it is
 */
export const startOwnStack = async (
  name: string,
  options: Omit<StackOptions, 'directory'> = {},
): Promise<OwnStack> => {
  const opened = new AsyncDisposableStack();
  try {
    const directory = await mkdtemp(join(tmpdir(), `stanza-${name}-`));
    opened.defer(() => rm(directory, { recursive: true, force: true }));
    const stack = await startStack({ ...options, directory });
    opened.defer(() => stack.stop());
    const world = await openWorld(stack.info);
    opened.defer(() => world.close());
    return { directory, stack, world, close: () => opened.disposeAsync() };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
};

/** Starts a stack that holds nothing but one organization of the test's own. */
export const startOwnStackWith = async (
  name: string,
  options?: OrganizationOptions,
): Promise<OwnStack & OwnOrganization> => {
  const own = await startOwnStack(name, { seed: false });
  try {
    return { ...own, ...(await foundIn(own.world, options)) };
  } catch (error) {
    await own.close();
    throw error;
  }
};
