import { CodedError, refusalOfSignature, type SignedRequest, signatureHeaders } from '@stanza/contracts';
import type { Clock } from '@stanza/runtime';
import type { Request } from 'express';
import { readJsonBytes } from '../http/json.ts';
import { openBodyMs, readBytes } from '../http/read-bytes.ts';
import type { RequestContext, Step } from '../http/request-context.ts';
import { isMadeByClient, openKindOf } from './admit.ts';

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

/** RFC 9112, 6: a request without one of these headers has no body. */
const hasBody = (request: Request): boolean =>
  request.get('transfer-encoding') !== undefined || Number(request.get('content-length') ?? 0) > 0;

/** The signature of a request as it came, from its headers; empty where there are none. */
const givenSignature = (request: Request): Omit<SignedRequest, 'bytes'> => ({
  timestamp: request.get(signatureHeaders.timestamp) ?? '',
  signature: request.get(signatureHeaders.signature) ?? '',
});

/** A signature covers bytes: they are passed on unchanged, and the holder of the secret verifies them. */
const asSigned = (request: Request, bytes: Uint8Array): SignedRequest => ({
  bytes: Buffer.from(bytes).toString('base64'),
  ...givenSignature(request),
});

const readAsked = async (requestContext: RequestContext): Promise<void> => {
  const { operation, request, response } = requestContext;
  const withinMs = openKindOf(operation) && openBodyMs;
  const bytes = await readBytes(request, response, { limit: operation.bodyLimit, withinMs, what: 'body' });
  if (operation.signedForm) requestContext.json = asSigned(request, bytes);
  else if (bytes.length > 0) {
    checkType(request);
    const { json, issues } = readJsonBytes(bytes, 'body');
    requestContext.json = json;
    requestContext.bodyIssues = issues;
  }
};

/**
 * Reads the body of an operation that takes none, so that one with keys can be refused. What is no JSON becomes an issue
 * too: such an operation has no refusals of its own for a body.
 */
const readUnasked = async (requestContext: RequestContext): Promise<void> => {
  const { operation, request, response } = requestContext;
  try {
    const bytes = await readBytes(request, response, {
      limit: operation.bodyLimit,
      withinMs: undefined,
      what: 'body',
    });
    requestContext.json = readJsonBytes(bytes, 'body').json;
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    const message = 'must be left out: the operation takes no body';
    requestContext.bodyIssues = [{ code: 'custom', path: [], message }];
  }
};

/**
 * Reads and parses the body of an operation, within its limits of bytes and depth. The operation's timeout starts when
 * the body is complete: the server bounds the client's speed.
 */
export const readBody =
  (clock: Clock): Step =>
  async (requestContext: RequestContext) => {
    const { operation, request, context } = requestContext;
    if (!operation.body && !(isMadeByClient(operation) && hasBody(request))) return;
    await (operation.body ? readAsked(requestContext) : readUnasked(requestContext));
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
    const message = refusalOfSignature(givenSignature(request), clock.now());
    if (message !== undefined) throw new CodedError('invalid_signature', { message });
  };
