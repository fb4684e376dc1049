import { spawn } from 'node:child_process';
import { projectRoot } from '../project.ts';

/** Runs a program of the checkout in the foreground; answers its exit code (1 when a signal ended it). */
export const runProgram = (
  command: string,
  args: readonly string[],
  env: Record<string, string | undefined> = process.env,
): Promise<number> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: projectRoot, stdio: 'inherit', env });
    child.once('error', reject).once('exit', (code) => resolve(code ?? 1));
  });
