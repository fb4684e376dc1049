import { CodedError } from '@stanza/contracts';
import type { RequestHandler } from 'express';

/** Headers of one request; beyond a far higher number the HTTP parser would silently drop some. */
const mostHeaders = 100;

/** Refuses a request with too many headers; the parser limits their bytes. */
export const refuseManyHeaders: RequestHandler = (request, _response, next) => {
  if (request.rawHeaders.length <= 2 * mostHeaders) return next();
  const message = `The request has more than ${mostHeaders} headers.`;
  return next(new CodedError('invalid_request', { http_status: 431, message }));
};
