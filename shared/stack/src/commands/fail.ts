import { StackFailure } from '../failure.ts';
import { colours } from '../progress.ts';

/** What a person reads when a command could not do its work: what happened, and what to do. */
export const failureText = (error: unknown, paint = colours(process.stderr)): string => {
  if (error instanceof StackFailure) return `\n  ${paint.red('✗')} ${error.message}\n    ${error.advice}\n`;
  return `\n  ${paint.red('✗')} ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`;
};

/** Reports an error and lets the process end with 1. */
export const failWith = (error: unknown): void => {
  process.stderr.write(failureText(error));
  process.exitCode = 1;
};
