import { join } from 'node:path';
import { projectRoot } from '@stanza/local/project';
import { runProgram } from '../run-program.ts';

/** `npm run chaos`: hands over to the program that breaks things, with all that was given. */
export const runChaos = async (given: string[]): Promise<void> => {
  const program = join(projectRoot, 'tests/chaos/run.ts');
  process.exitCode = await runProgram(process.execPath, [program, ...given]);
};
