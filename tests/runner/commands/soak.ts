import { join } from 'node:path';
import { projectRoot } from '@stanza/local/project';
import { runProgram } from '../run-program.ts';

/** `npm run soak`: hands over to the soak's own program, with all that was given. */
export const runSoak = async (given: string[]): Promise<void> => {
  process.exitCode = await runProgram(process.execPath, [
    join(projectRoot, 'tests/bench/soak/main.ts'),
    ...given,
  ]);
};
