import { join } from 'node:path';
import { projectRoot } from '@stanza/local/project';
import { installBeside } from '../install-beside.ts';
import { runProgram } from '../run-program.ts';

/** `npm run bench`: installs the peers, and hands over to the bench's own program, with all that was given. */
export const runBench = async (given: string[]): Promise<void> => {
  if (!(await installBeside('tests/bench'))) {
    process.exitCode = 1;
    return;
  }
  const program = join(projectRoot, 'tests/bench/run.ts');
  process.exitCode = await runProgram(process.execPath, [program, ...given]);
};
