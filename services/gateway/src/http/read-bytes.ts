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

const tooLarge = ({ limit, what }: BodyRules, cause: unknown): CodedError => {
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
 * Reads the body of a request: the one reader of every route.
 * @throws CodedError `invalid_request` for one that is too large (413), too slow (408) or broken,
 * `unsupported_media_type`
 */
export const readBytes = (request: Request, response: Response, rules: BodyRules): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    const { limit, withinMs, what } = rules;
    const giveUp = (milliseconds: number): void => {
      // Otherwise the connection would wait for the rest of the body.
      response.setHeader('Connection', 'close');
      reject(tooSlow(what, milliseconds));
    };
    const timer = withinMs === undefined ? undefined : setTimeout(giveUp, withinMs, withinMs);
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
