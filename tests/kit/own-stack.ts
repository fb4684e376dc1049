import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Stack, type StackOptions, startStack } from '@stanza/local';
import { placeClusterOfStack } from './cluster.ts';
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

/** Makes the folder of an own stack, with an empty cluster. */
const makeFolder = async (name: string): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), `stanza-${name}-`));
  await placeClusterOfStack(folder);
  return folder;
};

/** An own stack that a test stops, to start it again on what is in its folder by then. */
export class RestartedStack {
  readonly directory: string;
  #stack: Stack | undefined;
  #world: World | undefined;

  private constructor(directory: string) {
    this.directory = directory;
  }

  /**
   * Starts a stack without demo in a folder of its own.
   * @param name says in the folder's name whose it is
   */
  static async start(name: string): Promise<RestartedStack> {
    const own = new RestartedStack(await makeFolder(name));
    try {
      await own.start();
    } catch (error) {
      await own.close();
      throw error;
    }
    return own;
  }

  /** The stack as it was started last. */
  get stack(): Stack {
    if (this.#stack === undefined) throw new Error('The stack is stopped.');
    return this.#stack;
  }

  /** The connections to the stack as it was started last. */
  get world(): World {
    if (this.#world === undefined) throw new Error('The stack is stopped.');
    return this.#world;
  }

  /** Starts it, on what is in its folder. */
  async start(): Promise<void> {
    this.#stack = await startStack({ directory: this.directory, seed: false });
    this.#world = await openWorld(this.#stack.info);
  }

  /** Stops it, and leaves its folder as it is. */
  async stop(): Promise<void> {
    const [stack, world] = [this.#stack, this.#world];
    this.#stack = undefined;
    this.#world = undefined;
    await world?.close();
    await stack?.stop();
  }

  /** Stops it and forgets it. */
  async close(): Promise<void> {
    await this.stop();
    await rm(this.directory, { recursive: true, force: true });
  }
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
    const directory = await makeFolder(name);
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
  ofStack?: Pick<StackOptions, 'replicas'>,
): Promise<OwnStack & OwnOrganization> => {
  const own = await startOwnStack(name, { seed: false, ...ofStack });
  try {
    return { ...own, ...(await foundIn(own.world, options)) };
  } catch (error) {
    await own.close();
    throw error;
  }
};
