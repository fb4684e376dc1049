import { CodedError, type HttpOperation, type RateName, rateOf } from '@stanza/contracts';
import { acrossOrganizations, type ConcurrencyLimit, Tenant } from '@stanza/runtime';
import { speaksScim } from '../http/answers.ts';
import { keyOf, type RequestContext, required, type Step } from '../http/request-context.ts';
import type { IdempotencyClaims } from '../idempotency/idempotency-claims.ts';
import type { OpenKind, OpenLimits } from '../limits/open-limits.ts';
import { holderOf, type Quota, quotaHeaders, type RateLimits, requireQuota } from '../limits/rate-limits.ts';

/** The kind of an operation without a key; undefined for one that needs a key. */
export const openKindOf = ({ access }: Pick<HttpOperation, 'access'>): OpenKind | undefined => {
  if (access === 'signed') return 'clicks';
  return access === 'public' ? 'returns' : undefined;
};

/**
 * True where a client of ours makes the request. The others are made by the chat platform, a browser or an identity
 * provider, which may send more than the operation knows (RFC 6749, 4.1.2; RFC 7644, 3.3).
 */
export const isMadeByClient = (operation: Pick<HttpOperation, 'access' | 'answers'>): boolean =>
  openKindOf(operation) === undefined && !speaksScim(operation);

/** Seconds after which a slot is likely to be free again. */
const retryAfter = 1;

/** An internal caller, without an address. */
const nowhere = { address: null, user_agent: null };

const refusal = (message: string): CodedError =>
  new CodedError('service_unavailable', { message, retry_after: retryAfter, nothing_done: true });

/** The requests that a gateway works on at one time. */
export interface ConcurrencyLimits {
  /** Of organizations. */
  requests: ConcurrencyLimit;
  /** Of callers without a key: signed and public operations. Those with keys are not held up by them, nor the other way. */
  open: OpenLimits;
}

/**
 * Takes a concurrency slot, of its address where the operation needs no key; it is released when the answer has gone
 * out.
 */
export const takeSlot =
  ({ requests, open }: ConcurrencyLimits): Step =>
  (requestContext: RequestContext) => {
    const { operation, context } = requestContext;
    const kind = openKindOf(operation);
    const slot = kind ? open.take(kind, context.client ?? nowhere) : requests.take();
    if (!slot) throw refusal('The gateway has too much to do at the moment; nothing was done.');
    requestContext.slot = slot;
  };

/**
 * Counts the slot against the fair share of the organization before the body is read: a slow client uses its own share
 * alone.
 */
export const shareSlot = ({ slot, principal, operation }: RequestContext): void => {
  if (openKindOf(operation)) return;
  if (required(slot, 'slot').share(principal?.organization_id ?? 'nobody')) return;
  throw refusal('Too many requests of the organization are being worked on; nothing was done.');
};

type Limits = Pick<RateLimits, 'take'>;

/** Reports the remaining requests of the rate, and refuses a request over it. */
const apply = ({ headers, operation }: RequestContext, rate: RateName, quota: Quota): void => {
  const who = operation.access === 'session' ? 'You have made your' : 'The organization has made its';
  Object.assign(headers, quotaHeaders(rate, quota));
  requireQuota(who, rate, quota);
};

/** An operation about a person is of all their organizations, and counted for the person. */
const take = (
  { operation, principal, context: { person } }: RequestContext,
  limits: Limits,
  rate: RateName,
): ReturnType<Limits['take']> => {
  if (operation.access !== 'session')
    return limits.take(required(principal, 'principal').organization_id, rate);
  const { issuer, subject } = required(person, 'person');
  return acrossOrganizations(() => limits.take(holderOf('person', issuer, subject), rate));
};

/** Counts the request against the rate of its operation, if it has one, and refuses it over the limit. */
const count = async (requestContext: RequestContext, limits: Limits): Promise<void> => {
  const rate = rateOf(requestContext.operation);
  if (rate === undefined) return;
  const quota = await take(requestContext, limits, rate);
  if (quota) apply(requestContext, rate, quota);
};

/** Counts a request without an `Idempotency-Key` against its rate. */
export const limitRate =
  (limits: Limits): Step =>
  (requestContext) =>
    keyOf(requestContext) === undefined ? count(requestContext, limits) : undefined;

/** Counts a request whose `Idempotency-Key` it has claimed: a replay writes nothing, and counts against no rate. */
export const limitClaimed =
  (limits: Limits): Step =>
  (requestContext) =>
    keyOf(requestContext) === undefined ? undefined : count(requestContext, limits);

/**
 * Refuses a request with a new `Idempotency-Key` of an organization known to be over its rate before the key is
 * claimed: a flood of new keys writes nothing. A request with a taken key goes on to its replay.
 */
export const refuseNew =
  (limits: Pick<RateLimits, 'refusal' | 'countRefusal'>, keyed: Pick<IdempotencyClaims, 'isTaken'>): Step =>
  async (requestContext) => {
    const [key, rate] = [keyOf(requestContext), rateOf(requestContext.operation)];
    if (key === undefined || rate === undefined) return;
    const principal = required(requestContext.principal, 'principal');
    const quota = limits.refusal(principal.organization_id, rate);
    if (!quota || (await keyed.isTaken(Tenant.of(principal), requestContext.operation.id, key))) return;
    limits.countRefusal(rate);
    apply(requestContext, rate, quota);
  };
