import { join } from 'node:path';
import { projectRoot } from '@stanza/local/project';
import { runProgram } from '../run-program.ts';

/** `npm run bench`: hands over to the bench's own program, with all that was given. */
export const runBench = async (given: string[]): Promise<void> => {
  const program = join(projectRoot, 'tests/bench/run.ts');
  process.exitCode = await runProgram(process.execPath, [program, ...given]);
};
