import { asFailure } from '../failure.ts';
import { colours } from '../progress.ts';

/** Tells a person why a command could not do its work and what to do, and lets the process end with 1. */
export const failWith = (error: unknown): void => {
  const { message, advice } = asFailure(error);
  const paint = colours(process.stderr);
  process.stderr.write(`\n  ${paint.red('✗')} ${message}\n${advice && `    ${advice}\n`}\n`);
  process.exitCode = 1;
};
