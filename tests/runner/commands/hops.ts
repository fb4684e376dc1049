import { join } from 'node:path';
import { projectRoot } from '@stanza/local/project';
import { runProgram } from '../run-program.ts';

/** `npm run hops`: hands over to the program that measures. */
export const runHops = async (): Promise<void> => {
  process.exitCode = await runProgram(process.execPath, [join(projectRoot, 'tests/hops/main.ts')]);
};
