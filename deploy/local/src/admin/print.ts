import { codeOf } from '../failure.ts';

// Each write says its own error; an event without a listener would end the process with a stack.
process.stdout.on('error', () => undefined);

/**
 * Prints a line of an answer. Rejects where it cannot be written, as on a full disk: `console.log` drops it without a
 * word, and it may be the only copy of a key. A reader that closes the pipe, as `head` does, has read enough.
 * @returns whether the pipe is still open
 */
export const print = (line: string): Promise<boolean> =>
  new Promise((resolve, reject) => {
    process.stdout.write(`${line}\n`, (error) => {
      if (error && codeOf(error) !== 'EPIPE') reject(error);
      else resolve(!error);
    });
  });
