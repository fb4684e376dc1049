import { chmod, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { dataFolders } from './postgres/account.ts';

/** The files of one stack; two stacks with different roots share nothing. */
export interface StackDirectory {
  root: string;
  /** The facts of the running stack, for scripts. */
  info: string;
  /** Held by the supervisor as long as it lives. */
  lock: string;
  /** The processes of the stack, for the next start to end those that a killed run left behind. */
  processes: string;
  /** Passwords and keys, created once. */
  secrets: string;
  /** The demo organizations and their keys, which are shown only once. */
  demo: string;
  /** Exists once the first message was sent. */
  welcome: string;
  /** One log for each process. */
  logs: string;
  nats: string;
}

/** Names the files below `root`; creates nothing. */
export const stackDirectory = (root: string): StackDirectory => ({
  root,
  info: join(root, 'stack.json'),
  lock: join(root, 'stack.lock'),
  processes: join(root, 'processes.json'),
  secrets: join(root, 'secrets.json'),
  demo: join(root, 'demo.json'),
  welcome: join(root, 'welcome.json'),
  logs: join(root, 'logs'),
  nats: join(root, 'nats'),
});

/**
 * Creates the folder of a stack. Other users may pass through it, since Postgres can run as another user, but cannot
 * list it.
 */
export const prepareDirectory = async (directory: StackDirectory): Promise<void> => {
  await mkdir(directory.root, { recursive: true });
  await chmod(directory.root, 0o711);
  await mkdir(directory.logs, { recursive: true, mode: 0o700 });
};

/** Deletes all data, secrets and logs of a stack, but keeps caches and fetched programs. */
export const emptyDirectory = async (directory: StackDirectory): Promise<void> => {
  const { info, processes, secrets, demo, welcome, logs, nats } = directory;
  for (const path of [info, processes, secrets, demo, welcome, logs, nats, ...dataFolders(directory.root)]) {
    await rm(path, { recursive: true, force: true });
  }
};
