import type { ChildProcess } from 'node:child_process';

/** What a command wrote, and how it ended. */
export interface CommandResult {
  code: number | null;
  /** Both streams, in the order in which they arrived, which may differ from that of the writing. */
  output: string;
  /** What it wrote to its standard output. */
  stdout: string;
}

/** Waits for the end of a process and of everything it writes. */
export const collectOutput = (child: ChildProcess): Promise<CommandResult> =>
  new Promise((resolve, reject) => {
    let output = '';
    let stdout = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      stdout += text;
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    child.once('error', reject).once('close', (code) => resolve({ code, output, stdout }));
  });
