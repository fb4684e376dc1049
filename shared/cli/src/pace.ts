import type { Fetch } from '@stanza/sdk';

/** What is left of a rate: requests, and the seconds until there are more. */
export interface Left {
  readonly rate: string;
  readonly requests: number;
  readonly seconds: number;
}

/** Reads the header `RateLimit`; undefined where it is missing. */
export const leftIn = (header: string | null): Left | undefined => {
  const [, rate, requests, seconds] = /^"([\w-]+)";r=(\d+);t=(\d+)/.exec(header ?? '') ?? [];
  return rate === undefined ? undefined : { rate, requests: Number(requests), seconds: Number(seconds) };
};

/** The path of a request without what differs from one thing to the next: requests of one kind count against one rate. */
const kindOf = (url: string, method: string | undefined): string =>
  `${method} ${new URL(url).pathname.replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/gi, '{id}')}`;

/** The refusal that a rate which is used up would answer: the client waits for as long as it says, and asks again. */
const refusal = (seconds: number): Response =>
  Response.json(
    { code: 'rate_limited', error: 'the rate of the organization is used up' },
    { status: 429, headers: { 'retry-after': `${seconds}` } },
  );

/**
 * Refuses a request that a rate would refuse, as the answers say, before it is made. Which rate a request counts against,
 * its first answer tells. A wait in here would count as that for an answer, which is lost after 35 seconds.
 */
export const pacedFetch = (send: Fetch): Fetch => {
  const rateOf = new Map<string, string>();
  const usedUp = new Map<string, number>();
  return async (url, init) => {
    const kind = kindOf(url, init.method);
    const rate = rateOf.get(kind);
    const seconds = rate === undefined ? undefined : usedUp.get(rate);
    if (rate !== undefined && seconds !== undefined) {
      usedUp.delete(rate);
      return refusal(seconds);
    }
    const response = await send(url, init);
    const left = leftIn(response.headers.get('ratelimit'));
    if (left) rateOf.set(kind, left.rate);
    if (left?.requests === 0) usedUp.set(left.rate, Math.max(1, left.seconds));
    return response;
  };
};
