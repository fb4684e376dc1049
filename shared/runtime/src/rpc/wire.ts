import { MsgHdrsImpl, MsgImpl } from '@nats-io/nats-core/internal';
import type { Msg, MsgHdrs } from '@nats-io/transport-node';
import { headers } from '@nats-io/transport-node';
import {
  type Client,
  CodedError,
  clientSchema,
  type ErrorBody,
  errorFactsSchema,
  isErrorCode,
  type Operation,
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
const sourceHeader = 'Source';
const personHeader = 'Person';
const clientHeader = 'Client';
const operatorHeader = 'Operator';
const keyDigestHeader = 'Key-Digest';
const firstHeader = 'First';
const ifMatchHeader = 'If-Match';
const weightHeader = 'Weight';
const holderHeader = 'Holder';
const repeatsHeader = 'Repeats';

/** On every answer other than a success: `error` or `overload`. */
const outcomeHeader = 'Outcome';

/** Status that the NATS server sends to the inbox when there is no subscriber. */
const noRespondersStatus = 503;

/**
 * JSON of objects that many calls share, made once each. A principal or person is the same object for all requests of a
 * key or session while the gateway's caches hold it; a client is shared by a request and all its calls.
 */
const encodedParts = new WeakMap<Principal | Person | Client, string>();

/** Parts of it are chosen by the client; JSON escapes line breaks. */
const encodePart = (part: Principal | Person | Client): string => {
  const known = encodedParts.get(part);
  if (known !== undefined) return known;
  const encoded = JSON.stringify(part);
  encodedParts.set(part, encoded);
  return encoded;
};

/**
 * While versions are mixed, a newer gateway may name a scope that this process does not know. Such a scope grants
 * nothing here and does not fail the call.
 */
const wirePrincipalSchema = principalSchema.extend({
  scopes: z.array(z.string()).transform((given) => scopes.filter((scope) => given.includes(scope))),
});

/** Reads a header's JSON; a text that was seen before is already validated. */
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
 * Headers as one encoded text. The client's own class checks and copies each name and value, which took a sixth of the
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

const lineEnd = '\r\n';
const lineBreak = /[\r\n]/;

/**
 * The headers of a request that may take `remainingMs` milliseconds from now.
 * @param repeats the reply subject of the call's first request, where this is another one
 * @throws InvariantError for a request id, traceparent, tag, operator or holder with a line break
 */
export const encodeContext = (
  context: CallContext,
  remainingMs: number,
  { weight = 1, holder }: Burden = {},
  repeats?: string,
): MsgHdrs => {
  const { requestId, operationId, traceparent, principal, source, person, client, operator } = context;
  const { keyDigest, isFirst, ifMatch } = context;
  if ([requestId, traceparent, ifMatch, operator, holder].some((text) => lineBreak.test(text ?? ''))) {
    throw new InvariantError('a request id, traceparent, tag, operator or holder has a line break');
  }
  let lines = `${requestIdHeader}: ${requestId}\r\n${operationIdHeader}: ${operationId}\r\n`;
  lines += `${remainingHeader}: ${Math.floor(remainingMs)}\r\n`;
  if (traceparent) lines += `${traceHeader}: ${traceparent}\r\n`;
  if (principal) lines += `${principalHeader}: ${encodePart(principal)}\r\n`;
  if (source) lines += `${sourceHeader}: ${encodePart(source)}\r\n`;
  if (person) lines += `${personHeader}: ${encodePart(person)}\r\n`;
  if (client) lines += `${clientHeader}: ${encodePart(client)}\r\n`;
  if (operator) lines += `${operatorHeader}: ${operator}\r\n`;
  if (keyDigest) lines += `${keyDigestHeader}: ${keyDigest}\r\n`;
  if (isFirst) lines += `${firstHeader}: 1\r\n`;
  // An empty one names no tag, and is not the same as its absence.
  if (ifMatch !== undefined) lines += `${ifMatchHeader}: ${ifMatch}\r\n`;
  if (weight !== 1) lines += `${weightHeader}: ${weight}\r\n`;
  if (holder !== undefined) lines += `${holderHeader}: ${holder}\r\n`;
  if (repeats !== undefined) lines += `${repeatsHeader}: ${repeats}\r\n`;
  return new RequestHeaders(lines);
};

/** How a call counts under the concurrency limit of its receiver. */
export interface Burden {
  /** Places that it takes. */
  weight?: number;
  /** The organization of a job, which has no principal. */
  holder?: string;
}

/** The burden of a call: the length of the list that its operation names, or the organization of a job. */
export const burdenOf = ({ weighedBy, job }: Operation, input: unknown): Burden => {
  if (job) {
    const { organization_id } = Object(input);
    return typeof organization_id === 'string' ? { holder: organization_id } : {};
  }
  if (weighedBy === undefined) return {};
  const list: unknown = Object(Object(input).body)[weighedBy];
  return { weight: Array.isArray(list) ? Math.max(1, list.length) : 1 };
};

/** The headers of a request by their names, as {@link encodeContext} wrote them. */
export type RequestLines = ReadonlyMap<string, string>;

const utf8 = new TextDecoder();

/**
 * Reads the headers of a request. The library's own class checks each name and value once more and lists all names at
 * each, which took a tenth of the time of an answer.
 */
export const linesOf = (message: Msg): RequestLines => {
  const found = new Map<string, string>();
  if (!(message instanceof MsgImpl)) throw new InvariantError('a message of another NATS client');
  const text = utf8.decode(message._rdata.subarray(0, Math.max(0, message._msg.hdr)));
  for (let from = text.indexOf(lineEnd) + 2, end = 0; end !== -1; from = end + 2) {
    end = text.indexOf(lineEnd, from);
    const colon = text.indexOf(': ', from);
    if (colon === -1 || end < colon) break;
    found.set(text.slice(from, colon), text.slice(colon + 2, end));
  }
  return found;
};

/** The weight in the headers; 1 without one, as the previous version sends. */
export const weightIn = (lines: RequestLines): number => {
  const weight = Number(lines.get(weightHeader) ?? 1);
  return Number.isSafeInteger(weight) && weight > 0 ? weight : 1;
};

/** The organization of a job; undefined without the header. */
export const holderIn = (lines: RequestLines): string | undefined => lines.get(holderHeader) || undefined;

/** The reply subject of the first request of the call that this one repeats; undefined for a first request. */
export const repeatedIn = (lines: RequestLines): string | undefined => lines.get(repeatsHeader);

/**
 * Reads the context of a request that arrived at `receivedAt` on the receiver's monotonic clock.
 * @throws Error when a header is missing or a principal is malformed
 */
export const decodeContext = (found: RequestLines, receivedAt: number): CallContext => {
  const requestId = found.get(requestIdHeader);
  const operationId = found.get(operationIdHeader);
  const remainingMs = Number(found.get(remainingHeader));
  if (!requestId || !operationId || Number.isNaN(remainingMs)) {
    throw new Error('a request lacks a header');
  }
  const traceparent = found.get(traceHeader);
  const principal = found.get(principalHeader);
  const source = found.get(sourceHeader);
  const person = found.get(personHeader);
  const client = found.get(clientHeader);
  const operator = found.get(operatorHeader);
  const keyDigest = found.get(keyDigestHeader);
  const ifMatch = found.get(ifMatchHeader);
  return {
    requestId,
    operationId,
    deadline: receivedAt + remainingMs,
    ...(traceparent && { traceparent }),
    ...(principal && { principal: decodePrincipal(principal) }),
    ...(source && { source: decodePrincipal(source) }),
    ...(person && { person: decodePerson(person) }),
    ...(client && { client: decodeClient(client) }),
    ...(operator && { operator }),
    ...(keyDigest && { keyDigest }),
    ...(found.has(firstHeader) && { isFirst: true }),
    ...(ifMatch !== undefined && { ifMatch }),
  };
};

const outcomeHeaders = (outcome: 'error' | 'overload'): MsgHdrs => {
  const encoded = headers();
  encoded.set(outcomeHeader, outcome);
  return encoded;
};

/** Headers of an answer that carries a coded error. */
export const errorHeaders = outcomeHeaders('error');

/** Headers of the answer of an overloaded service. */
export const overloadHeaders = outcomeHeaders('overload');

/** The outcome of a reply, before its body is read. A success has no headers to parse. */
export const outcomeOf = (reply: Msg): 'success' | 'error' | 'overload' | 'no_responders' => {
  const encoded = reply.headers;
  if (encoded === undefined) return 'success';
  if (encoded.code === noRespondersStatus) return 'no_responders';
  return encoded.get(outcomeHeader) === 'overload' ? 'overload' : 'error';
};

/** The code may be known to newer processes only. */
const errorBodySchema = errorFactsSchema.extend({ code: z.string() });

/** The body of an error answer. */
export const encodeError = (error: CodedError): string => {
  const body: ErrorBody = error.toBody();
  return JSON.stringify(body);
};

/** Reads an error answer; an unknown code becomes `internal_error`. */
export const decodeError = (reply: Msg): CodedError => {
  const { code, ...facts } = errorBodySchema.parse(reply.json());
  if (isErrorCode(code)) return new CodedError(code, facts);
  return new CodedError('internal_error', {}, { cause: new Error(`unknown error code ${code}`) });
};
