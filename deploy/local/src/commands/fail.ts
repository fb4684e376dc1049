import { asFailure } from '../failure.ts';
import { colours } from '../progress.ts';

/** Prints why a command failed and what to do, and makes the process exit with 1. */
export const failWith = (error: unknown): void => {
  const { message, advice } = asFailure(error);
  const paint = colours(process.stderr);
  process.stderr.write(`\n  ${paint.red('✗')} ${message}\n${advice && `    ${advice}\n`}\n`);
  process.exitCode = 1;
};
