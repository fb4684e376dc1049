import { type RequestContext, required, type Step } from '../http/request-context.ts';
import type { ConcurrencyLimit } from '../limits/concurrency-limit.ts';

/** Whoever calls operations that are open to everybody; together they share as one organization does. */
const nobody = 'nobody';

/** Takes a place among the requests that are being worked on; it is left when the answer has gone out. */
export const takePlace =
  (concurrencyLimit: ConcurrencyLimit): Step =>
  (requestContext: RequestContext) => {
    requestContext.place = concurrencyLimit.take();
  };

/** Counts the place for the organization, before its body is read: a slow client takes of its own share alone. */
export const sharePlace = ({ place, principal }: RequestContext): void =>
  required(place, 'place').share(principal?.organization_id ?? nobody);
