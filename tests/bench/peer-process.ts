import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** A peer that listens in a process of its own. */
export interface PeerProcess {
  process: ChildProcess;
  /** Its address, without a path. */
  url: string;
  pid: number;
}

/** Starts a program that sends its port once it listens. It ends when this process does. */
export const startPeer = async (script: string, env: Record<string, string>): Promise<PeerProcess> => {
  const child = fork(script, ['front'], { env: { ...process.env, ...env } });
  const failed = once(child, 'exit').then(() => Promise.reject(new Error(`${script} has ended`)));
  const [port] = await Promise.race([once(child, 'message'), failed]);
  return { process: child, url: `http://127.0.0.1:${port}`, pid: child.pid ?? 0 };
};

/** Ends a peer. */
export const stopPeer = async ({ process: child }: PeerProcess): Promise<void> => {
  const ended = once(child, 'exit');
  child.kill();
  await ended;
};

/** The program that a team writes itself. */
export const ownService = {
  script: new URL('./own-service/main.ts', import.meta.url).pathname,
  peer: 'the service a team writes itself: express 5, pg, undici, handlebars, one process',
} as const;
