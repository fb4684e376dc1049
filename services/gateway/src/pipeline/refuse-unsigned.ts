import { CodedError, refusalOfSignature } from '@stanza/contracts';
import type { Clock } from '@stanza/runtime';
import type { Step } from '../http/request-context.ts';
import { signedHeaders } from './read-body.ts';

/**
 * Refuses a request of a signed operation that carries no signature or a stale one, before its body is read. Whether the
 * signature belongs to the body, the service that knows the secret decides.
 */
export const refuseUnsigned =
  (clock: Pick<Clock, 'now'>): Step =>
  ({ operation, request }) => {
    if (operation.access !== 'signed') return;
    const message = refusalOfSignature(signedHeaders(request), clock.now());
    if (message !== undefined) throw new CodedError('invalid_signature', { message });
  };
