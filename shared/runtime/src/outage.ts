import { CodedError } from '@stanza/contracts';
import { RpcFailure } from './rpc/failure.ts';

/**
 * True for an outage of a service or the database: the transient error of calls over NATS and of statements. A retry
 * may succeed, and no request is at fault.
 */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof RpcFailure || (error instanceof CodedError && error.code === 'service_unavailable');

/** {@link isUnavailable}, or a rate limit: never the fault of the work, however often it occurs. */
export const isOutage = (error: unknown): boolean =>
  isUnavailable(error) || (error instanceof CodedError && (error.status === 503 || error.status === 429));
