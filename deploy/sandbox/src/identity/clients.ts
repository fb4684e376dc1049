import { createHash, timingSafeEqual } from 'node:crypto';

/** An application that signs people in. */
export interface IdentityClient {
  readonly id: string;
  /** What it shows at the token endpoint; a public client has none, and proves itself by PKCE alone. */
  readonly secret: string | undefined;
}

/** The console at the provider. */
export const consoleClientId = 'stanza-console';

/** The command `stanza` at the provider, on machines of people. */
export const commandClientId = 'stanza-command';

const loopbackHosts = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Whether a code may be sent to an address: a port of this machine (RFC 8252, 7.3), or one of the given addresses. */
export function isRedirectAllowed(address: string, allowed: readonly string[]): boolean {
  if (allowed.includes(address)) return true;
  const url = URL.parse(address);
  return url !== null && url.protocol === 'http:' && loopbackHosts.has(url.hostname) && url.hash === '';
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares in constant time, whatever the lengths. */
export const isSameSecret = (one: string, other: string): boolean =>
  timingSafeEqual(digest(one), digest(other));

/** Whether what a client shows is its secret. */
export const isProven = ({ secret }: IdentityClient, shown: string | undefined): boolean =>
  secret === undefined ? shown === undefined : shown !== undefined && isSameSecret(secret, shown);
