import { CodedError, refusalOfSignature, type SignedRequest, signatureHeaders } from '@stanza/contracts';
import type { Clock } from '@stanza/runtime';
import express, { type Request, type RequestHandler } from 'express';
import { acceptedCodings, unreadable } from '../http/content-coding.ts';
import { readJsonBytes } from '../http/json.ts';
import type { RequestContext, Step } from '../http/request-context.ts';
import { isOpen } from './admit.ts';

const readers = new Map<number, RequestHandler>();

/** One reader for each limit; it reads a body of any type, which is checked once there is one. */
const readerFor = (limit: number): RequestHandler => {
  const known = readers.get(limit);
  if (known) return known;
  const reader = express.raw({ type: () => true, limit });
  readers.set(limit, reader);
  return reader;
};

const tooBig = (limit: number, cause: unknown): CodedError =>
  new CodedError(
    'invalid_request',
    {
      http_status: 413,
      message: `The body is larger than ${limit / 1024} KiB, the limit of this operation.`,
    },
    { cause },
  );

/** Milliseconds in which the body of a caller without a key must be there. The caller is a program beside a fast line. */
const openBodyMs = 3_000;

const tooSlow = (): CodedError =>
  new CodedError('invalid_request', {
    http_status: 408,
    message: `The body did not arrive within ${openBodyMs / 1_000} s.`,
  });

const read = ({ request, response, operation, headers }: RequestContext): Promise<void> =>
  new Promise((resolve, reject) => {
    const limit = operation.bodyLimit;
    const giveUp = () => {
      // Otherwise the connection would wait for the rest of the body.
      headers.Connection = 'close';
      reject(tooSlow());
    };
    const timer = isOpen(operation) ? setTimeout(giveUp, openBodyMs) : undefined;
    readerFor(limit)(request, response, (error: unknown) => {
      clearTimeout(timer);
      if (error === undefined || error === null) return resolve();
      const type = typeof error === 'object' && 'type' in error ? error.type : undefined;
      if (type === 'entity.too.large') return reject(tooBig(limit, error));
      const refusal = unreadable(request, 'body', error);
      if (refusal.code === 'unsupported_media_type') headers['Accept-Encoding'] = acceptedCodings;
      return reject(refusal);
    });
  });

/** `application/json`, a type of the form `application/…+json`, or none: programs often leave it out. */
const jsonTypes = /^ *(application\/([\w.!#$&^-]+\+)?json) *(;|$)/i;

/** What programs say of any body unless they are told otherwise: `curl -d`, and `fetch` with a text. */
const unasked = /^ *(application\/x-www-form-urlencoded|text\/plain) *(;|$)/i;

/**
 * A type that a program says by itself is no claim, so the body is read as JSON. Without an `Authorization` header, where a
 * browser's form could have sent it, the type counts.
 * @throws CodedError `unsupported_media_type` for a body that says to be anything but JSON
 */
const checkType = (request: Request): void => {
  const type = request.get('content-type');
  if (type === undefined || type.trim() === '' || jsonTypes.test(type)) return;
  if (request.get('authorization') !== undefined && unasked.test(type)) return;
  throw new CodedError('unsupported_media_type', {
    message: 'The body must be JSON: send it with the header `Content-Type: application/json`.',
  });
};

/** The headers of a signature as they came; empty where there are none. */
export const signedHeaders = (request: Request): Omit<SignedRequest, 'bytes'> => ({
  timestamp: request.get(signatureHeaders.timestamp) ?? '',
  signature: request.get(signatureHeaders.signature) ?? '',
});

/** A signature covers bytes: they are passed on unchanged, and the holder of the secret verifies them. */
const asSigned = (request: Request, bytes: unknown): SignedRequest => ({
  bytes: bytes instanceof Uint8Array ? Buffer.from(bytes).toString('base64') : '',
  ...signedHeaders(request),
});

/**
 * Reads and parses the body of an operation, within its limits of bytes and depth. The operation's timeout starts when
 * the body is complete: the server bounds the client's speed.
 */
export const readBody =
  (clock: Clock): Step =>
  async (requestContext: RequestContext) => {
    const { operation, request, context } = requestContext;
    if (!operation.body) return;
    await read(requestContext);
    const bytes: unknown = request.body;
    if (operation.signedForm) requestContext.json = asSigned(request, bytes);
    else if (bytes instanceof Uint8Array && bytes.length > 0) {
      checkType(request);
      const { json, issues } = readJsonBytes(bytes, 'body');
      requestContext.json = json;
      requestContext.bodyIssues = issues;
    }
    context.deadline = clock.monotonic() + operation.deadlineMs;
  };

/**
 * Refuses a request of a signed operation that carries no signature or a stale one, before its body is read. Whether the
 * signature belongs to the body, the service that knows the secret decides.
 */
export const refuseUnsigned =
  (clock: Pick<Clock, 'now'>): Step =>
  ({ operation, request }) => {
    if (operation.access !== 'signed') return;
    const message = refusalOfSignature(signedHeaders(request), clock.now());
    if (message !== undefined) throw new CodedError('invalid_signature', { message });
  };
