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

/** What the pace waits with. */
export interface Waiting {
  sleep(milliseconds: number): Promise<void>;
  /** Is told of each wait. */
  waits(seconds: number): void;
}

/**
 * Waits where the answers say that a rate is used up, before a request is made that it would refuse. Which rate a request
 * counts against, its first answer tells.
 */
export const pacedFetch = (send: Fetch, { sleep, waits }: Waiting): Fetch => {
  const rateOf = new Map<string, string>();
  const usedUp = new Map<string, number>();
  return async (url, init) => {
    const kind = kindOf(url, init.method);
    const rate = rateOf.get(kind);
    const seconds = rate === undefined ? undefined : usedUp.get(rate);
    if (rate !== undefined && seconds !== undefined) {
      usedUp.delete(rate);
      waits(seconds);
      await sleep(seconds * 1_000);
    }
    const response = await send(url, init);
    const left = leftIn(response.headers.get('ratelimit'));
    if (left) rateOf.set(kind, left.rate);
    if (left?.requests === 0) usedUp.set(left.rate, Math.max(1, left.seconds));
    return response;
  };
};
