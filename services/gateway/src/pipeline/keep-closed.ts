import { CodedError } from '@stanza/contracts';
import type { Step } from '../http/request-context.ts';
import type { Maintenance } from '../limits/maintenance.ts';

/**
 * Refuses every request during maintenance, before any call to a service or the database; public operations stay open.
 */
export const keepClosed =
  (maintenance: Pick<Maintenance, 'current'>): Step =>
  ({ operation }) => {
    const closed = operation.access === 'public' ? undefined : maintenance.current;
    if (!closed) return;
    const { message, retry_after } = closed;
    throw new CodedError('maintenance', { ...(message !== null && { message }), retry_after });
  };
