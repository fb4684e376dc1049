import { CodedError } from '@stanza/contracts';
import { toCodedError } from '@stanza/runtime';

/**
 * What kept a message from being posted, for its caller. Where only the moment was wrong, the request may be made again
 * as if it had never been: whatever it has left behind ends without a post and without a charge.
 */
export const unposted = (cause: unknown): CodedError => {
  const error = toCodedError(cause);
  if (error.code !== 'service_unavailable') return error;
  return new CodedError(error.code, { ...error.facts, nothing_done: true }, { cause });
};
