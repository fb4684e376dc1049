import type { Client, Person, Principal } from '@stanza/contracts';
import { systemClock } from '../clock.ts';
import { newId } from '../id.ts';

/** The context of a call besides its input; a handler passes its own on to the calls that it makes. */
export interface CallContext {
  /** Identifies the request in logs and answers. */
  requestId: string;
  /** Identifies the work of the request: charges and messages are unique by it. */
  operationId: string;
  /** The principal of the call; undefined for operations that need none. */
  principal?: Principal;
  /** Who vouches for reading from another environment; see `takesSource`. */
  source?: Principal;
  /** The person of the session token that the request carried. */
  person?: Person;
  /** The client of the HTTP request that began the chain; undefined where no request did. */
  client?: Client;
  /** Who runs the command of an operator, as their machine says; undefined for every other call. */
  operator?: string;
  /** Digest of the `Idempotency-Key` that the request carried; see `idempotencyKeyDigest`. */
  keyDigest?: string;
  /** True of a request with a key whose operation id is its own: no earlier request has run under it. */
  isFirst?: boolean;
  /** The header `If-Match` of the request, where its operation takes it. */
  ifMatch?: string;
  /** Moment on the monotonic clock of this process at which the caller times out. */
  deadline: number;
  /** W3C trace context of the caller's span. */
  traceparent?: string;
}

/** Options of {@link newContext}. */
export interface NewContext {
  requestId?: string;
  principal?: Principal;
  client?: Client;
  operator?: string;
  /** Milliseconds from now. */
  deadlineMs: number;
  traceparent?: string;
}

/** Begins a chain of calls: a new operation id (uuid v7), which also serves as the request id unless one is given. */
export const newContext = ({
  requestId,
  principal,
  client,
  operator,
  deadlineMs,
  traceparent,
}: NewContext): CallContext => {
  const operationId = newId();
  return {
    requestId: requestId ?? operationId,
    operationId,
    deadline: systemClock.monotonic() + deadlineMs,
    ...(principal && { principal }),
    ...(client && { client }),
    ...(operator && { operator }),
    ...(traceparent && { traceparent }),
  };
};

/**
 * The context of one coalesced call: it has the latest deadline of its members, and the request id and trace of the
 * first. It carries no principal, because members may have different ones.
 */
export const jointContext = (members: readonly { context: CallContext }[]): CallContext => {
  const [first] = members;
  const { requestId, traceparent } = first?.context ?? {};
  return {
    ...newContext({ deadlineMs: 0, ...(requestId && { requestId }), ...(traceparent && { traceparent }) }),
    deadline: Math.max(...members.map((it) => it.context.deadline)),
  };
};
