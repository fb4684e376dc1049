import {
  type HttpOperation,
  type InputOf,
  idempotencyKeyHeader,
  type Principal,
  type ValidationIssue,
} from '@stanza/contracts';
import type { CallContext, Logger } from '@stanza/runtime';
import type { Request, Response } from 'express';
import type { CanonicalRequest } from '../idempotency/fingerprint.ts';
import type { Place } from '../limits/concurrency-limit.ts';

/** The validated parts of a request, as the owner of its operation takes them; a part without a schema is empty. */
export type ValidInput = InputOf<HttpOperation>;

/** Content type of the answers of operations, but for pages. */
export const jsonType = 'application/json; charset=utf-8';

/** Content type of pages for people. */
export const pageType = 'text/html; charset=utf-8';

/** What goes back to the client. */
export interface Answer {
  status: number;
  /** JSON text, or a page. */
  body: string | Uint8Array;
  headers?: Record<string, string>;
}

/** A request on its way through the pipeline; each step fills in what the later ones need. */
export interface RequestContext {
  readonly operation: HttpOperation;
  readonly request: Request;
  readonly response: Response;
  readonly context: CallContext;
  readonly log: Logger;
  /** Held until the answer has gone out. */
  place?: Place;
  principal?: Principal;
  /** The body as parsed, before validation. */
  json?: unknown;
  /** What stands in the body's text and cannot be taken; see `readJson`. */
  bodyIssues?: ValidationIssue[];
  /** What is deprecated about the request: camelCase keys, the path without `/v1`. */
  readonly deprecated: string[];
  input?: ValidInput;
  /** The parts of the request with canonical names, before defaults; see `fingerprintOf`. */
  canonical?: Omit<CanonicalRequest, 'operation'>;
  /** Id of the operation whose answer is given again. */
  replayOf?: string;
  /** The answer is kept for replays, and its charge is confirmed from there. */
  isRemembered?: boolean;
  /** Headers of whatever answer there will be, of errors too. */
  readonly headers: Record<string, string>;
  answer?: Answer;
}

/** The `Idempotency-Key` of a request; undefined where its operation takes none. */
export const keyOf = ({ operation, request }: RequestContext): string | undefined =>
  operation.idempotent ? request.get(idempotencyKeyHeader) : undefined;

/** One step of the pipeline. What it throws ends the exchange with an error answer. */
export type Step = (requestContext: RequestContext) => void | Promise<void>;

/** The client has gone before anything was asked of a service in its name: the rest of the steps is not taken. */
export class HungUp extends Error {
  override readonly name = 'HungUp';
}

/** A step needs what an earlier one should have left: the list of steps is in a wrong order. */
export const required = <T>(value: T | undefined, name: string): T => {
  if (value === undefined) throw new Error(`the pipeline has not provided ${name} yet`);
  return value;
};
