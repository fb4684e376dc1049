import { CodedError } from '@stanza/contracts';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { acceptedCodings, unreadable } from './content-coding.ts';

/**
 * Milliseconds in which the body of a caller who is not known must be there. The caller is a program next to a fast
 * line.
 */
export const openBodyMs = 3_000;

const readers = new Map<number, RequestHandler>();

/** One reader for each limit; it reads a body of any type, which is checked once there is one. */
const readerFor = (limit: number): RequestHandler => {
  const known = readers.get(limit);
  if (known) return known;
  const reader = express.raw({ type: () => true, limit });
  readers.set(limit, reader);
  return reader;
};

const isTooLarge = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'type' in error && error.type === 'entity.too.large';

const tooLarge = ({ limit, what }: BodyRules, cause?: unknown): CodedError => {
  const message = `The ${what} is larger than ${limit / 1_024} KiB, the limit here.`;
  return new CodedError('invalid_request', { http_status: 413, message }, { cause });
};

const tooSlow = (what: string, withinMs: number): CodedError => {
  const message = `The ${what} did not arrive within ${withinMs / 1_000} s.`;
  return new CodedError('invalid_request', { http_status: 408, message });
};

/** How a body is read. */
export interface BodyRules {
  /** Bytes. */
  limit: number;
  /** Milliseconds in which it must be there; undefined leaves it to the server's limit. */
  withinMs: number | undefined;
  /** Names it in errors. */
  what: string;
}

/**
 * Calls back once more bytes have arrived than may: the reader itself tells so only when it has seen the last one, which
 * may never come.
 */
const whenOver = (request: Request, limit: number, tell: () => void): void => {
  let arrived = 0;
  request.on('data', (chunk: Uint8Array) => {
    arrived += chunk.length;
    if (arrived > limit) tell();
  });
};

/**
 * Reads the body of a request: the one reader of every route. A body that is too large is refused at once, and before a
 * client sends it that asks first.
 * @throws CodedError `invalid_request` for one that is too large (413), too slow (408) or broken,
 * `unsupported_media_type`
 */
export const readBytes = async (
  request: Request,
  response: Response,
  rules: BodyRules,
): Promise<Uint8Array> => {
  if (Number(request.get('content-length') ?? 0) > rules.limit) throw tooLarge(rules);
  if (request.get('expect') !== undefined && request.httpVersion === '1.1') response.writeContinue();
  return receive(request, response, rules);
};

const receive = (request: Request, response: Response, rules: BodyRules): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    const { limit, withinMs, what } = rules;
    const giveUp = (milliseconds: number): void => {
      // Otherwise the connection would wait for the rest of the body.
      response.setHeader('Connection', 'close');
      reject(tooSlow(what, milliseconds));
    };
    const timer = withinMs === undefined ? undefined : setTimeout(giveUp, withinMs, withinMs);
    whenOver(request, limit, () => {
      clearTimeout(timer);
      reject(tooLarge(rules));
    });
    readerFor(limit)(request, response, (error: unknown) => {
      clearTimeout(timer);
      if (error === undefined || error === null) {
        return resolve(request.body instanceof Uint8Array ? request.body : new Uint8Array());
      }
      if (isTooLarge(error)) return reject(tooLarge(rules, error));
      const refusal = unreadable(request, what, error);
      if (refusal.code === 'unsupported_media_type') response.setHeader('Accept-Encoding', acceptedCodings);
      return reject(refusal);
    });
  });

/**
 * Ends connections whose request was answered before its body was there, and whose client does not send the rest in
 * time: answers that read no body would wait for it as long as the server waits for a whole request.
 */
export const endUnread: RequestHandler = (request, response, next) => {
  response.once('finish', () => {
    if (request.complete) return;
    const timer = setTimeout(() => request.socket.destroy(), openBodyMs);
    const done = (): void => clearTimeout(timer);
    request.once('end', done).once('close', done);
  });
  next();
};
