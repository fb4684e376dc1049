import { CodedError } from '@stanza/contracts';
import type { Request } from 'express';

/** The codings of a body that are read; those of `express.raw`. */
export const acceptedCodings = 'gzip, deflate, br, zstd';

/**
 * The error for a body that could not be read for another reason than its size.
 * @param what names the body in the message
 */
export const unreadable = (request: Request, what: string, cause: unknown): CodedError => {
  const type = typeof cause === 'object' && cause !== null && 'type' in cause ? cause.type : undefined;
  if (type === 'encoding.unsupported') {
    const message = `The ${what} has a Content-Encoding that is not read. Send it as it is, or in one of ${acceptedCodings}.`;
    return new CodedError('unsupported_media_type', { message }, { cause });
  }
  const isCoded = request.get('content-encoding') !== undefined;
  const why = isCoded ? ': check that it is in the coding that its Content-Encoding names' : '';
  return new CodedError('invalid_request', { message: `The ${what} could not be read${why}.` }, { cause });
};
