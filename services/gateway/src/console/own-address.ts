import { CodedError } from '@stanza/contracts';
import type { Request } from 'express';

/** Marks a request that was redirected to the console's own origin already. */
const redirected = 'led';

/**
 * The address of the same request at the console's own origin, where the cookie must be set; undefined when it is there.
 * @throws CodedError `misconfigured` where a proxy hands on another Host than the browser's, which would redirect for ever
 */
export const ownAddress = (request: Request, origin: string): string | undefined => {
  const host = request.get('host');
  if (host === new URL(origin).host) return undefined;
  // A request line may name a host of its own, which must not be where the browser is led.
  const address = new URL(`${request.baseUrl}${request.path}`, origin);
  address.search = new URL(request.originalUrl, origin).search;
  if (address.searchParams.has(redirected)) {
    throw new CodedError('misconfigured', {
      message: `Requests reach the gateway with the Host ${host}, and STANZA_CONSOLE_URL is ${origin}: let the proxy hand on the Host of the browser.`,
    });
  }
  address.searchParams.set(redirected, '1');
  return address.href;
};
