import { errorTable } from './error-codes.ts';
import { CodedError } from './errors.ts';
import type { Problem } from './resources/message.ts';

/** Codes of errors that consist of problems. */
export type ProblemCode = 'compilation_failed' | 'invalid_data';

const counted = (count: number): string => (count === 1 ? '1 problem' : `${count} problems`);

/**
 * The error that lists what is wrong with a template or its data: `details` has one line a problem, `error_details`
 * the same list as JSON text.
 * @param problems at least one
 */
export const problemsError = (code: ProblemCode, problems: readonly Problem[]): CodedError =>
  new CodedError(code, {
    message: `${errorTable[code].meaning.replace(/\.$/, '')}: ${counted(problems.length)}.`,
    details: problems.map(({ pointer, rule, message }) => `${pointer}: ${rule}: ${message}`).join('\n'),
    error_details: JSON.stringify(problems),
  });
