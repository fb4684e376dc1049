import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stackDirectory } from '../directory.ts';
import type { Progress } from '../progress.ts';
import { projectRoot } from '../project.ts';
import { type Stack, startStack } from '../stack.ts';

/** The stack that all tests of a run share, on ports and data of its own. */
export interface SharedStack {
  stack: Stack;
  /** Its `stack.json`. */
  infoFile: string;
  /** Ends it and deletes its data; after a failure its logs are kept, and the answer says where. */
  end: (failed: boolean) => Promise<string | undefined>;
}

/** Starts it: with all services, or with Postgres and NATS alone. */
export const startSharedStack = async (
  withServices: boolean,
  progress: Progress,
  signal: AbortSignal,
): Promise<SharedStack> => {
  const root = await mkdtemp(join(tmpdir(), 'stanza-test-'));
  const directory = stackDirectory(root);
  const end = async (failed: boolean): Promise<string | undefined> => {
    const kept = join(projectRoot, '.stanza/test-logs');
    await rm(kept, { recursive: true, force: true });
    if (failed) await cp(directory.logs, kept, { recursive: true });
    await rm(root, { recursive: true, force: true });
    return failed ? kept : undefined;
  };
  try {
    const stack = await startStack({
      directory: root,
      progress,
      signal,
      ...(withServices ? {} : { services: [] }),
    });
    return {
      stack,
      infoFile: directory.info,
      end: async (failed) => {
        await stack.stop();
        return end(failed);
      },
    };
  } catch (error) {
    await end(true);
    throw error;
  }
};
