import { CodedError, limits, type SignedRequest, signatureHeaders } from '@stanza/contracts';
import type { Clock } from '@stanza/runtime';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { nestsDeeperThan, type ReadJson, readJson } from '../http/json.ts';
import type { RequestContext, Step } from '../http/request-context.ts';

const readers = new Map<number, RequestHandler>();

/** One reader a limit; whatever the content type says, a body is JSON. */
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

const read = (request: Request, response: Response, limit: number): Promise<void> =>
  new Promise((resolve, reject) => {
    readerFor(limit)(request, response, (error: unknown) => {
      if (error === undefined || error === null) return resolve();
      const type = typeof error === 'object' && 'type' in error ? error.type : undefined;
      if (type === 'entity.too.large') return reject(tooBig(limit, error));
      return reject(
        new CodedError('invalid_request', { message: 'The body could not be read.' }, { cause: error }),
      );
    });
  });

const decoder = new TextDecoder('utf-8', { fatal: true });

const parse = (bytes: Uint8Array): ReadJson => {
  try {
    const text = decoder.decode(bytes);
    if (nestsDeeperThan(text, limits.bodyDepth)) {
      throw new CodedError('invalid_request', {
        message: `The body is nested deeper than ${limits.bodyDepth} levels.`,
      });
    }
    return readJson(text);
  } catch (error) {
    if (error instanceof CodedError) throw error;
    throw new CodedError(
      'invalid_request',
      { message: 'The body is not valid JSON in UTF-8.' },
      { cause: error },
    );
  }
};

/** A signature is over bytes: they are handed on as they came, and whoever knows the secret reads them. */
const asSigned = (request: Request, bytes: unknown): SignedRequest => ({
  bytes: bytes instanceof Uint8Array ? Buffer.from(bytes).toString('base64') : '',
  timestamp: request.get(signatureHeaders.timestamp) ?? '',
  signature: request.get(signatureHeaders.signature) ?? '',
});

/**
 * Reads and parses the body of an operation that takes one, within its limit of bytes and depth. The operation's time
 * begins when the body is there: how fast a client sends is bounded by the server, and no fault of a service.
 */
export const readBody =
  (clock: Clock): Step =>
  async (requestContext: RequestContext) => {
    const { operation, request, response, context } = requestContext;
    if (!operation.body) return;
    await read(request, response, operation.bodyLimit);
    const bytes: unknown = request.body;
    if (operation.signedForm) requestContext.json = asSigned(request, bytes);
    else if (bytes instanceof Uint8Array && bytes.length > 0) {
      const { json, issues } = parse(bytes);
      requestContext.json = json;
      requestContext.bodyIssues = issues;
    }
    context.deadline = clock.monotonic() + operation.deadlineMs;
  };
