import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { type StackInfo, stackInfoSchema } from '@stanza/local/info';

/** A stack whose supervisor is a process of its own, so that a test can kill it. */
export interface HeldStack {
  supervisor: ChildProcess;
  info: StackInfo;
}

/** Starts Postgres and NATS under another process and waits until they are ready. */
export const holdStack = async (directory: string): Promise<HeldStack> => {
  const script = `${import.meta.dirname}/hold-stack.ts`;
  const supervisor = spawn(process.execPath, ['--no-warnings', script, directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: supervisor.stdout })) {
    return { supervisor, info: stackInfoSchema.parse(JSON.parse(line)) };
  }
  throw new Error('The stack ended before it was ready.');
};
