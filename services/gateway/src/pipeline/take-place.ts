import { CodedError, type HttpOperation } from '@stanza/contracts';
import type { ConcurrencyLimit } from '@stanza/runtime';
import { clientShare } from '../http/client.ts';
import { type RequestContext, required, type Step } from '../http/request-context.ts';

/** Seconds after which a place is likely to be free again. */
const retryAfter = 1;

const refusal = (message: string): CodedError =>
  new CodedError('service_unavailable', { message, retry_after: retryAfter, nothing_done: true });

/** The requests that a gateway works on at one time. */
export interface ConcurrencyLimits {
  /** Of organizations. */
  requests: ConcurrencyLimit;
  /** Of callers without a key: signed and public operations. Those with keys are not held up by them, nor the other way. */
  openRequests: ConcurrencyLimit;
}

/** Whether an operation asks for no key: its callers are told apart by their addresses. */
export const isOpen = ({ access }: HttpOperation): boolean => access === 'signed' || access === 'public';

/** Takes a place among the requests that are being worked on; it is left when the answer has gone out. */
export const takePlace =
  ({ requests, openRequests }: ConcurrencyLimits): Step =>
  (requestContext: RequestContext) => {
    const place = (isOpen(requestContext.operation) ? openRequests : requests).take();
    if (!place) throw refusal('The gateway has too much to do at the moment; nothing was done.');
    requestContext.place = place;
  };

/**
 * Counts the place against the fair share of the organization, or of the address of a caller without a key, before the body is
 * read: a slow client uses its own share alone.
 */
export const sharePlace = ({ place, principal, operation, context }: RequestContext): void => {
  const client = context.client ?? { address: null, user_agent: null };
  const holder = isOpen(operation) ? clientShare(client) : (principal?.organization_id ?? 'nobody');
  if (required(place, 'place').share(holder)) return;
  const owner = isOpen(operation) ? 'address' : 'organization';
  throw refusal(`Too many requests of the ${owner} are being worked on; nothing was done.`);
};
