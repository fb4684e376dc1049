import {
  type HttpOperation,
  type InputOf,
  idempotencyKeyHeader,
  isRequestId,
  type Principal,
  type ValidationIssue,
} from '@stanza/contracts';
import type { CallContext, ConcurrencySlot, Logger } from '@stanza/runtime';
import type { Request, Response } from 'express';
import { v4 } from 'uuid';

/** The validated parts of a request; a part without a schema is empty. */
export type ValidInput = InputOf<HttpOperation>;

/** Content type of responses, except pages. */
export const jsonType = 'application/json; charset=utf-8';

/** Content type of pages for people. */
export const pageType = 'text/html; charset=utf-8';

/** The response to the client. */
export interface Answer {
  status: number;
  /** JSON text, or a page. */
  body: string | Uint8Array;
  headers?: Record<string, string>;
  /** Writes the body of a stream; `body` is empty then. It never rejects. */
  stream?: () => Promise<void>;
}

/** The parts of a request with canonical names, before defaults are filled in. */
export interface CanonicalRequest {
  /** Id of the operation. */
  operation: string;
  params: unknown;
  query: unknown;
  body: unknown;
}

/** A request in the pipeline; each step fills in the fields that later steps need. */
export interface RequestContext {
  readonly operation: HttpOperation;
  readonly request: Request;
  readonly response: Response;
  readonly context: CallContext;
  readonly log: Logger;
  /** The concurrency slot, held until the response is sent. */
  slot?: ConcurrencySlot;
  principal?: Principal;
  /** The body as parsed, before validation. */
  json?: unknown;
  /** Unsupported values in the body's text; see `readJson`. */
  bodyIssues?: ValidationIssue[];
  /** The deprecated features that the request uses: camelCase keys, the path without `/v1`. */
  readonly deprecated: string[];
  input?: ValidInput;
  /** The parts of the request with canonical names, before defaults; see `fingerprintOf`. */
  canonical?: Omit<CanonicalRequest, 'operation'>;
  /** Id of the operation whose answer is replayed. */
  replayOf?: string;
  /** The answer is stored for replays, and its charge is confirmed from there. */
  isRemembered?: boolean;
  /** Headers of the response, also of an error. */
  readonly headers: Record<string, string>;
  answer?: Answer;
}

/** The `Idempotency-Key` of a request; undefined where its operation does not support one. */
export const keyOf = ({ operation, request }: RequestContext): string | undefined =>
  operation.idempotent ? request.get(idempotencyKeyHeader) : undefined;

/** A step of the pipeline. A thrown error becomes the response. */
export type Step = (requestContext: RequestContext) => void | Promise<void>;

/** The client has disconnected before a service was called for it: the remaining steps are skipped. */
export class HungUp extends Error {
  override readonly name = 'HungUp';
}

/** Returns a value provided by an earlier step; its absence means a wrong order of steps. */
export const required = <T>(value: T | undefined, name: string): T => {
  if (value === undefined) throw new Error(`the pipeline has not provided ${name} yet`);
  return value;
};

/** The client's request id where it is well-formed, else a generated one; never refuses. */
export const requestIdOf = (given: string | undefined): string => (isRequestId(given) ? given : v4());

/** The paths of an operation: under `/v1`, and without it for older clients. */
export interface Route {
  operation: HttpOperation;
  path: string;
  prefixed: boolean;
}
