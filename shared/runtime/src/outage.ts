import { CodedError } from '@stanza/contracts';
import { RpcFailure } from './rpc/failure.ts';

/**
 * A service or the database is away: the transient error of calls over NATS and of statements. The same work may
 * succeed later, and no request is at fault.
 */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof RpcFailure || (error instanceof CodedError && error.code === 'service_unavailable');

/** {@link isUnavailable}, or a limit of the other side: no number of failures makes that the fault of the work. */
export const isOutage = (error: unknown): boolean =>
  isUnavailable(error) || (error instanceof CodedError && (error.status === 503 || error.status === 429));
