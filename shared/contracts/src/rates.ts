import { limits } from './limits.ts';

/** How many requests an organization may make in any stretch of this many seconds. */
export interface Rate {
  requests: number;
  seconds: number;
}

/**
 * The rates of the API. Each but that of persons is counted by itself for an organization: over all its keys, sessions
 * and environments, at every gateway.
 */
export const rates = {
  /** Requests that write templates; they cost no credits. */
  authoring: { requests: limits.authoringRate, seconds: 60 },
  /** Requests that show a template without storing anything; an editor makes them while its user types. */
  preview: { requests: 300, seconds: 60 },
  /** Searches; one may cost as much as a hundred reads. */
  search: { requests: 300, seconds: 60 },
  /** Every other request that changes something, unless credits or an amount per day bound it. */
  writes: { requests: 1_200, seconds: 60 },
  /** Messages of agents; each is read and checked whole before the requests that it leads to are counted. */
  agents: { requests: 600, seconds: 60 },
  /** Requests that send e-mail to addresses of the caller's choice. */
  invitations: { requests: 60, seconds: 600 },
  /**
   * What a person changes about themselves, in every organization that they belong to, and how often they, or a key, sign
   * in to the console: each counted for the person or the key. Each of these is a line in audit logs.
   */
  person: { requests: 60, seconds: 60 },
  /**
   * Refusals that are kept for replays: neither credits nor a rate of the operation bound them, since a refused compile or
   * send costs nothing. None is refused by this rate; the key of one more is free again.
   */
  refusals: { requests: 300, seconds: 60 },
} as const satisfies Record<string, Rate>;

/** The name of a rate. */
export type RateName = keyof typeof rates;

/** All names. */
export const rateNames = [
  'authoring',
  'preview',
  'search',
  'writes',
  'agents',
  'invitations',
  'person',
  'refusals',
] as const satisfies readonly RateName[];

/** The part of an operation's declaration that names its rate. */
interface Rated {
  readonly authoring: boolean;
  readonly ownRate?: RateName;
  readonly unrated?: true;
  readonly method: string;
  readonly access: string;
}

/** Callers of these are no organization's. */
const ofNobody = new Set(['public', 'signed', 'session']);

/** The rate against which an operation counts; reads count against none, unless they cost much. */
export const rateOf = ({ authoring, ownRate, unrated, method, access }: Rated): RateName | undefined => {
  if (authoring) return 'authoring';
  if (ownRate !== undefined) return ownRate;
  return method === 'GET' || unrated || ofNobody.has(access) ? undefined : 'writes';
};

/** Header that names the rate and its limit; as in draft-ietf-httpapi-ratelimit-headers, revisions 10 and 11. */
export const ratePolicyHeader = 'RateLimit-Policy';

/** Header that says how much of the rate is left, and in how many seconds there will be more. */
export const rateHeader = 'RateLimit';
