import { MsgHdrsImpl } from '@nats-io/nats-core/internal';
import type { Msg, MsgHdrs } from '@nats-io/transport-node';
import { headers } from '@nats-io/transport-node';
import {
  type Client,
  CodedError,
  clientSchema,
  type ErrorBody,
  errorFactsSchema,
  isErrorCode,
  type Person,
  type Principal,
  personSchema,
  principalSchema,
  scopes,
} from '@stanza/contracts';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { InvariantError } from '../invariant.ts';
import type { CallContext } from './context.ts';

/** Header names of a request. */
const requestIdHeader = 'Request-Id';
const operationIdHeader = 'Operation-Id';
const traceHeader = 'Traceparent';
const remainingHeader = 'Remaining-Ms';
const principalHeader = 'Principal';
const personHeader = 'Person';
const clientHeader = 'Client';
const keyDigestHeader = 'Key-Digest';

/** Present on every answer that is not a success: `error` or `overload`. */
const outcomeHeader = 'Outcome';

/** Status that the server sends to the inbox when nobody listens. */
const noRespondersStatus = 503;

/**
 * A principal is the same object for all requests of one key or session while the gateway's caches hold it, and so is
 * a person; the JSON of each is made once. A client is one of a request and all its calls.
 */
const encodedParts = new WeakMap<Principal | Person | Client, string>();

/** Parts of it are text of the client's making; JSON escapes line breaks by itself. */
const encodePart = (part: Principal | Person | Client): string => {
  const known = encodedParts.get(part);
  if (known !== undefined) return known;
  const encoded = JSON.stringify(part);
  encodedParts.set(part, encoded);
  return encoded;
};

/**
 * While versions are mixed, a newer gateway may name a scope that this process does not know; it grants nothing here
 * and must not spoil the call.
 */
const wirePrincipalSchema = principalSchema.extend({
  scopes: z.array(z.string()).transform((given) => scopes.filter((scope) => given.includes(scope))),
});

/** Reads a header's JSON; what it says was validated when the same text was first seen. */
const remembering = <T extends object>(schema: z.ZodType<T>): ((encoded: string) => T) => {
  const decoded = new LRUCache<string, T>({ max: 2_000 });
  return (encoded) => {
    const known = decoded.get(encoded);
    if (known !== undefined) return known;
    const value = Object.freeze(schema.parse(JSON.parse(encoded)));
    decoded.set(encoded, value);
    return value;
  };
};

const decodePrincipal = remembering<Principal>(wirePrincipalSchema);
const decodePerson = remembering<Person>(personSchema);
const decodeClient = remembering<Client>(clientSchema);

/**
 * Headers written at once. The client's own class checks and copies each name and value, which took a sixth of the
 * time of a call.
 */
class RequestHeaders extends MsgHdrsImpl {
  readonly #text: string;

  constructor(lines: string) {
    super();
    this.#text = `NATS/1.0\r\n${lines}\r\n`;
  }

  override encode(): Uint8Array {
    return Buffer.from(this.#text);
  }
}

const lineBreak = /[\r\n]/;

/**
 * The headers of a request that may take `remainingMs` milliseconds from now.
 * @throws InvariantError for a request id or traceparent that would break out of its line
 */
export const encodeContext = (context: CallContext, remainingMs: number): MsgHdrs => {
  const { requestId, operationId, traceparent, principal, person, client, keyDigest } = context;
  if (lineBreak.test(requestId) || (traceparent && lineBreak.test(traceparent))) {
    throw new InvariantError('a request id or traceparent has a line break');
  }
  let lines = `${requestIdHeader}: ${requestId}\r\n${operationIdHeader}: ${operationId}\r\n`;
  lines += `${remainingHeader}: ${Math.floor(remainingMs)}\r\n`;
  if (traceparent) lines += `${traceHeader}: ${traceparent}\r\n`;
  if (principal) lines += `${principalHeader}: ${encodePart(principal)}\r\n`;
  if (person) lines += `${personHeader}: ${encodePart(person)}\r\n`;
  if (client) lines += `${clientHeader}: ${encodePart(client)}\r\n`;
  if (keyDigest) lines += `${keyDigestHeader}: ${keyDigest}\r\n`;
  return new RequestHeaders(lines);
};

/**
 * Reads the context of a request that arrived at `receivedAt` on the receiver's monotonic clock.
 * @throws Error when a header is missing or is no principal
 */
export const decodeContext = (message: Msg, receivedAt: number): CallContext => {
  // One pass over the headers: asking for each by its name makes lists of all names every time.
  const found = new Map<string, string>();
  for (const [name, [value]] of message.headers ?? []) if (value) found.set(name, value);
  const requestId = found.get(requestIdHeader);
  const operationId = found.get(operationIdHeader);
  const remainingMs = Number(found.get(remainingHeader));
  if (!requestId || !operationId || Number.isNaN(remainingMs)) {
    throw new Error(`a request on ${message.subject} lacks a header`);
  }
  const traceparent = found.get(traceHeader);
  const principal = found.get(principalHeader);
  const person = found.get(personHeader);
  const client = found.get(clientHeader);
  const keyDigest = found.get(keyDigestHeader);
  return {
    requestId,
    operationId,
    deadline: receivedAt + remainingMs,
    ...(traceparent && { traceparent }),
    ...(principal && { principal: decodePrincipal(principal) }),
    ...(person && { person: decodePerson(person) }),
    ...(client && { client: decodeClient(client) }),
    ...(keyDigest && { keyDigest }),
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

/** The code may be one that only a newer process knows. */
const errorBodySchema = errorFactsSchema.extend({ code: z.string() });

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
