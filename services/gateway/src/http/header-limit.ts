import { CodedError } from '@stanza/contracts';
import type { RequestHandler } from 'express';

/** Headers of one request; beyond a far higher number the HTTP parser would leave some out without a word. */
const mostHeaders = 100;

/** Refuses a request with more headers than any client has a use for; their bytes are limited by the parser. */
export const refuseManyHeaders: RequestHandler = (request, _response, next) => {
  if (request.rawHeaders.length <= 2 * mostHeaders) return next();
  const message = `The request has more than ${mostHeaders} headers.`;
  return next(new CodedError('invalid_request', { http_status: 431, message }));
};
