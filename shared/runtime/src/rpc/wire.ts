import type { Msg, MsgHdrs } from '@nats-io/transport-node';
import { headers } from '@nats-io/transport-node';
import {
  CodedError,
  type ErrorBody,
  isErrorCode,
  type Principal,
  principalSchema,
  scopes,
} from '@stanza/contracts';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { CallContext } from './context.ts';

/** Header names of a request. */
const requestIdHeader = 'Request-Id';
const operationIdHeader = 'Operation-Id';
const traceHeader = 'Traceparent';
const remainingHeader = 'Remaining-Ms';
const principalHeader = 'Principal';

/** Present on every answer that is not a success: `error` or `overload`. */
const outcomeHeader = 'Outcome';

/** Status that the server sends to the inbox when nobody listens. */
const noRespondersStatus = 503;

/**
 * A principal is the same object for all requests of one key while the gateway's cache holds it, so its JSON is
 * made once.
 */
const encodedPrincipals = new WeakMap<Principal, string>();

const encodePrincipal = (principal: Principal): string => {
  const known = encodedPrincipals.get(principal);
  if (known !== undefined) return known;
  const encoded = JSON.stringify(principal);
  encodedPrincipals.set(principal, encoded);
  return encoded;
};

/**
 * While versions are mixed, a newer gateway may name a scope that this process does not know; it grants nothing here
 * and must not spoil the call.
 */
const wirePrincipalSchema = principalSchema.extend({
  scopes: z.array(z.string()).transform((given) => scopes.filter((scope) => given.includes(scope))),
});

/** Principals by their JSON; each was validated when it was first seen. */
const decodedPrincipals = new LRUCache<string, Principal>({ max: 2_000 });

const decodePrincipal = (encoded: string): Principal => {
  const known = decodedPrincipals.get(encoded);
  if (known !== undefined) return known;
  const principal = Object.freeze(wirePrincipalSchema.parse(JSON.parse(encoded)));
  decodedPrincipals.set(encoded, principal);
  return principal;
};

/** The headers of a request that may take `remainingMs` milliseconds from now. */
export const encodeContext = (context: CallContext, remainingMs: number): MsgHdrs => {
  const encoded = headers();
  encoded.set(requestIdHeader, context.requestId);
  encoded.set(operationIdHeader, context.operationId);
  encoded.set(remainingHeader, String(Math.floor(remainingMs)));
  if (context.traceparent) encoded.set(traceHeader, context.traceparent);
  if (context.principal) encoded.set(principalHeader, encodePrincipal(context.principal));
  return encoded;
};

/**
 * Reads the context of a request that arrived at `receivedAt` on the receiver's monotonic clock.
 * @throws Error when a header is missing or is no principal
 */
export const decodeContext = (message: Msg, receivedAt: number): CallContext => {
  const encoded = message.headers;
  const requestId = encoded?.get(requestIdHeader);
  const operationId = encoded?.get(operationIdHeader);
  const remainingMs = Number(encoded?.get(remainingHeader) || Number.NaN);
  if (!encoded || !requestId || !operationId || Number.isNaN(remainingMs)) {
    throw new Error(`request on ${message.subject} lacks a header`);
  }
  const traceparent = encoded.get(traceHeader);
  const principal = encoded.get(principalHeader);
  return {
    requestId,
    operationId,
    deadline: receivedAt + remainingMs,
    ...(traceparent && { traceparent }),
    ...(principal && { principal: decodePrincipal(principal) }),
  };
};

const outcomeHeaders = (outcome: 'error' | 'overload'): MsgHdrs => {
  const encoded = headers();
  encoded.set(outcomeHeader, outcome);
  return encoded;
};

/** Headers of an answer that carries a coded error. */
export const errorHeaders = outcomeHeaders('error');

/** Headers of the answer of a service that has too much to do. */
export const overloadHeaders = outcomeHeaders('overload');

/** What a reply says before its body is read. A success has no headers, so that they need not be read. */
export const outcomeOf = (reply: Msg): 'success' | 'error' | 'overload' | 'no_responders' => {
  const encoded = reply.headers;
  if (encoded === undefined) return 'success';
  if (encoded.code === noRespondersStatus) return 'no_responders';
  return encoded.get(outcomeHeader) === 'overload' ? 'overload' : 'error';
};

const issueSchema = z.object({
  code: z.string(),
  path: z.array(z.union([z.string(), z.number()])),
  message: z.string(),
});

const errorBodySchema = z.object({
  code: z.string(),
  message: z.string().optional(),
  details: z.string().optional(),
  error_details: z.string().optional(),
  retry_after: z.number().optional(),
  required_scopes: z.array(z.string()).optional(),
  user_scopes: z.array(z.string()).optional(),
  issues: z.array(issueSchema).optional(),
});

/** The body of an error answer. */
export const encodeError = (error: CodedError): string => {
  const body: ErrorBody = error.toBody();
  return JSON.stringify(body);
};

/** Reads an error answer; one of a code that this process does not know is an `internal_error`. */
export const decodeError = (reply: Msg): CodedError => {
  const { code, ...facts } = errorBodySchema.parse(reply.json());
  if (isErrorCode(code)) return new CodedError(code, facts);
  return new CodedError('internal_error', {}, { cause: new Error(`unknown error code ${code}`) });
};
