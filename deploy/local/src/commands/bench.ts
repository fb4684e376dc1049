import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { StackFailure } from '../failure.ts';
import { projectRoot } from '../project.ts';
import { runProgram } from '../test-runner/run-program.ts';

/** `npm run bench`: hands over to the bench's own program, with all that was given. */
export const runBench = async (given: string[]): Promise<void> => {
  const program = join(projectRoot, 'tests/bench/run.ts');
  if (!existsSync(program))
    throw new StackFailure(`${program} is missing.`, 'Check out the whole repository.');
  process.exitCode = await runProgram(process.execPath, [program, ...given]);
};
