import type { Msg, MsgHdrs } from '@nats-io/transport-node';
import type { Operation } from '@stanza/contracts';
import type { CallContext } from './context.ts';
import type { Expiring } from './deadlines.ts';
import type { FailureKind } from './failure.ts';
import type { Burden } from './wire.ts';

/** What becomes of a request that is sent. */
export interface Pending extends Expiring {
  /** Its answer is not waited for any more. */
  forget(): void;
  answered(reply: Msg): void;
  /** A request that was not sent has not run, whatever the kind. */
  failed(kind: FailureKind, wasSent?: boolean): void;
  /** Where the request was published. */
  readonly subject: string;
  /** NATS has refused a request to this subject. */
  forbidden(mayHaveRun: boolean): void;
  /** The client refused to publish the request. */
  refused(err: unknown): void;
}

/** A request that is sent at the end of this turn of the event loop. */
export interface Outgoing {
  slot: string;
  pending: Pending;
  subject: string;
  json: string;
  headers: MsgHdrs;
}

/**
 * A call until its end. One promise is all that it makes: a promise for each of its steps took a twentieth of the time of a
 * call.
 */
export interface OpenCall<T> {
  operation: Operation;
  /** The input as it leaves. */
  json: string;
  burden: Burden;
  context: CallContext;
  /** On the monotonic clock, milliseconds. */
  started: number;
  isRetry: boolean;
  /** The reply subject of its first request. */
  first?: string;
  /** Its requests without an answer; several where it was made again. */
  sent: Pending[];
  read(reply: Msg): T;
  resolve(value: T): void;
  reject(err: unknown): void;
}
