import { CodedError } from '@stanza/contracts';
import { fromDatabase } from '../database/faults.ts';

/** Why there is no answer. */
export type FailureKind = 'no_responders' | 'overload' | 'disconnected' | 'timeout';

/** Seconds after which a caller may try again. */
const retryAfterSeconds = 1;

const publicText: Record<FailureKind, string> = {
  no_responders: 'A part of the service is not running at the moment.',
  overload: 'A part of the service has too much to do at the moment.',
  disconnected: 'A part of the service cannot be reached at the moment.',
  timeout: 'A part of the service did not answer in time.',
};

/** A call brought no answer; a coded answer of the other side is a CodedError instead. */
export class RpcFailure extends Error {
  override readonly name = 'RpcFailure';
  readonly kind: FailureKind;
  /** False only when it is certain that no handler saw the call. */
  readonly mayHaveRun: boolean;
  /** Service and operation that was called, for the log. */
  readonly target: string;
  /** It would have changed nothing if it ran. */
  readonly readOnly: boolean;

  constructor(kind: FailureKind, target: string, mayHaveRun: boolean, readOnly = false) {
    super(`${target}: ${kind}${mayHaveRun ? ', may have run' : ''}`);
    this.kind = kind;
    this.target = target;
    this.mayHaveRun = mayHaveRun;
    this.readOnly = readOnly;
  }

  /** What a caller of ours is told: 503, and whether the change may have happened, where there was one. */
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

  /** A read that got lost says nothing of what its caller has changed before. */
  get #consequence(): string {
    if (!this.mayHaveRun) return ' Nothing was changed.';
    return this.readOnly ? '' : ' The change may have happened.';
  }
}

/**
 * The coded form of anything thrown: what is no failure of a call or of the database becomes `internal_error`. The
 * ORM's own entity manager throws what the driver throws, and whether it had changed something nobody can tell here.
 */
export const toCodedError = (error: unknown): CodedError => {
  if (error instanceof RpcFailure) return error.toCoded();
  const known = fromDatabase(error, false);
  if (known instanceof CodedError) return known;
  return new CodedError('internal_error', {}, { cause: error });
};
