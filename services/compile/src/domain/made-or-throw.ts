import { problemsError } from '@stanza/contracts';
import type { Refused } from './compilation.ts';

/**
 * What was made.
 * @throws CodedError `compilation_failed` or `invalid_data` with every problem, where nothing was
 */
export const madeOrThrow = <Made extends { ok: true }>(result: Made | Refused): Made => {
  if (!result.ok) throw problemsError(result.code, result.problems);
  return result;
};
