import type { StackDirectory } from '../directory.ts';
import { messageOf } from '../failure.ts';
import type { StackInfo } from '../info.ts';
import type { Progress } from '../progress.ts';
import { type Stack, type StackOptions, startStack } from '../stack.ts';
import { sendWelcome } from '../welcome.ts';
import { type EndRequests, endRequests } from './signals.ts';

/** Options of {@link runStack}. */
export interface StackRun {
  directory: StackDirectory;
  progress: Progress;
  options: Omit<StackOptions, 'directory' | 'progress' | 'signal'>;
  /** Called when the stack is ready. */
  onReady: (stack: Stack, requests: EndRequests) => void;
  /** Called before the stack is stopped, and when it does not start. */
  onEnd?: () => Promise<void>;
}

/** Starts a stack, sends the first message, and stops it in order on request. */
export const runStack = async ({ directory, progress, options, onReady, onEnd }: StackRun): Promise<void> => {
  const requests = endRequests();
  let stack: Stack | undefined;
  try {
    stack = await startStack({ ...options, directory: directory.root, progress, signal: requests.first });
    await welcome(stack.info, directory, progress);
    onReady(stack, requests);
    await requests.arrived;
  } finally {
    await onEnd?.();
    if (stack !== undefined) await progress.step('Stopping', stack.stop());
    requests.done();
  }
};

/** A failure of the first message is reported and does not stop the start. */
const welcome = async (info: StackInfo, directory: StackDirectory, progress: Progress): Promise<void> => {
  try {
    await progress.step('First message', sendWelcome(info, directory.welcome), (what) => what);
  } catch (error) {
    progress.say(`    ${messageOf(error)}`);
  }
};
