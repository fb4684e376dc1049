import type { Client, Person, Principal } from '@stanza/contracts';
import { systemClock } from '../clock.ts';
import { newId } from '../id.ts';

/** What every call carries besides its input; a handler passes its own on to the calls that it makes. */
export interface CallContext {
  /** Names the request for people, in logs and answers. */
  requestId: string;
  /** Names the operation for the services: charges and messages are unique by it. */
  operationId: string;
  /** Who stands behind the call; none for operations that need nobody. */
  principal?: Principal;
  /** Whose session token the request carried. */
  person?: Person;
  /** Where the request came from that began the chain; none where no request did. */
  client?: Client;
  /** Digest of the `Idempotency-Key` that the request carried; see `idempotencyKeyDigest`. */
  keyDigest?: string;
  /** Moment on the monotonic clock of this process at which the caller gives up. */
  deadline: number;
  /** W3C trace context of the caller's span. */
  traceparent?: string;
}

/** What `newContext` takes. */
export interface NewContext {
  requestId?: string;
  principal?: Principal;
  client?: Client;
  /** Milliseconds from now. */
  deadlineMs: number;
  traceparent?: string;
}

/** Begins a chain of calls: a new operation id (uuid v7), which also serves as the request id when none came in. */
export const newContext = ({
  requestId,
  principal,
  client,
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
    ...(traceparent && { traceparent }),
  };
};
