import type { ChildProcess } from 'node:child_process';

/** What a command wrote, and how it ended. */
export interface CommandResult {
  code: number | null;
  output: string;
}

/** Waits for the end of a process and of everything it writes. */
export const collectOutput = (child: ChildProcess): Promise<CommandResult> =>
  new Promise((resolve, reject) => {
    let output = '';
    const keep = (text: string) => {
      output += text;
    };
    child.stdout?.setEncoding('utf8').on('data', keep);
    child.stderr?.setEncoding('utf8').on('data', keep);
    child.once('error', reject).once('close', (code) => resolve({ code, output }));
  });
