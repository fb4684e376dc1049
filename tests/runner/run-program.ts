import { spawn } from 'node:child_process';
import { projectRoot } from '@stanza/local/project';
import { tether } from '@stanza/local/tether';

/** How a program is run. */
export interface RunOptions {
  env?: Record<string, string | undefined>;
  /** Ends the program. */
  signal?: AbortSignal;
}

/**
 * Runs a program of the checkout in the foreground, and ends it when this process dies. Answers its exit code, 1 when
 * a signal ended it.
 */
export const runProgram = (
  command: string,
  args: readonly string[],
  { env = process.env, signal }: RunOptions = {},
): Promise<number> =>
  new Promise((resolve, reject) => {
    const line = tether().wrap({ command, args: [...args] }, 'SIGTERM');
    const child = spawn(line.command, line.args, { cwd: projectRoot, stdio: 'inherit', env });
    const end = () => child.kill('SIGTERM');
    signal?.addEventListener('abort', end, { once: true });
    child.once('error', reject).once('exit', (code) => {
      signal?.removeEventListener('abort', end);
      resolve(code ?? 1);
    });
  });
