import { CodedError } from '@stanza/contracts';
import { fromDatabase } from '../database/faults.ts';

/** Why there is no answer. */
export type FailureKind = 'no_responders' | 'overload' | 'disconnected' | 'timeout' | 'forbidden';

/** Seconds after which a caller may retry. */
const retryAfterSeconds = 1;

const publicText: Record<FailureKind, string> = {
  no_responders: 'A part of the service is not running at the moment.',
  overload: 'A part of the service has too much to do at the moment.',
  disconnected: 'A part of the service cannot be reached at the moment.',
  timeout: 'A part of the service did not answer in time.',
  forbidden: 'A part of the service may not be called by another: their releases or permissions differ.',
};

/** A call without an answer; an error answer is a CodedError instead. */
export class RpcFailure extends Error {
  override readonly name = 'RpcFailure';
  readonly kind: FailureKind;
  /** False only when it is certain that no handler got the call. */
  readonly mayHaveRun: boolean;
  /** Service and operation that was called, for the log. */
  readonly target: string;
  /** True for an operation that changes nothing. */
  readonly readOnly: boolean;

  constructor(kind: FailureKind, target: string, mayHaveRun: boolean, readOnly = false) {
    super(`${target}: ${kind}${mayHaveRun ? ', may have run' : ''}`);
    this.kind = kind;
    this.target = target;
    this.mayHaveRun = mayHaveRun;
    this.readOnly = readOnly;
  }

  /** The error for the caller of this process: 503, and whether a change may have happened. */
  toCoded(): CodedError {
    return new CodedError(
      'service_unavailable',
      {
        message: `${publicText[this.kind]}${this.#consequence}`,
        retry_after: retryAfterSeconds,
        nothing_done: !this.mayHaveRun,
      },
      { cause: this },
    );
  }

  /** A lost read says nothing about earlier changes of its caller. */
  get #consequence(): string {
    if (!this.mayHaveRun) return ' Nothing was changed.';
    return this.readOnly ? '' : ' The change may have happened.';
  }
}

/**
 * The coded form of any thrown value: an error other than a failure of a call or of the database becomes
 * `internal_error`. The ORM's entity manager throws errors of the driver, for which it is unknown here whether a change
 * happened.
 */
export const toCodedError = (error: unknown): CodedError => {
  if (error instanceof RpcFailure) return error.toCoded();
  const known = fromDatabase(error, false);
  if (known instanceof CodedError) return known;
  return new CodedError('internal_error', {}, { cause: error });
};
