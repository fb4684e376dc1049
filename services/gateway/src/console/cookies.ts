import { CodedError } from '@stanza/contracts';
import type { Request } from 'express';

/** Names and flags of the console's cookies. */
export interface Cookies {
  /** Holds the session. */
  readonly session: string;
  /** Holds the checks of a sign-in that is under way. */
  readonly signIn: string;
  readonly flags: string;
}

/** Seconds for which a person may take to sign in at the provider. */
export const signInLifeS = 600;

/**
 * The cookies of an origin. `__Host-` binds them to it over TLS; a gateway on this machine without TLS cannot have
 * that prefix.
 */
export const cookiesFor = (origin: string): Cookies => {
  const isSecure = origin.startsWith('https:');
  const prefix = isSecure ? '__Host-' : '';
  return {
    session: `${prefix}stanza_session`,
    signIn: `${prefix}stanza_sign_in`,
    flags: `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`,
  };
};

/** The value of a cookie; undefined where the request has none, or two of that name. */
export const readCookie = (header: string | undefined, name: string): string | undefined => {
  const values = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  return values.length === 1 && values[0] !== '' ? values[0] : undefined;
};

/**
 * Finds the holder of a request's session cookie; undefined where the request has no cookie that counts.
 * @throws CodedError where the request may not use its cookie, and where `find` throws
 */
export const cookieHolder =
  <T>({ session }: Cookies, find: (cookie: string) => Promise<T>) =>
  async (request: Request): Promise<T | undefined> => {
    const cookie = readCookie(request.get('cookie'), session);
    if (cookie === undefined) return undefined;
    // Another page of this origin, such as the API's documentation, sends the cookie too; its key counts.
    if (!namesItself(request) && request.get('authorization') !== undefined) return undefined;
    requireOwnPage(request);
    return find(cookie);
  };

/** A `Set-Cookie` header. Without a life the cookie ends with the browser; 0 removes it. */
export const setCookie = (name: string, value: string, flags: string, lifeS?: number): string =>
  `${name}=${value}; ${flags}${lifeS === undefined ? '' : `; Max-Age=${lifeS}`}`;

/** Against CSRF, every request of the console names itself; forms and links of other pages cannot. */
export const consoleHeader = 'X-Stanza-Console';

const comesFromOurPage = (request: Request): boolean => {
  const site = request.get('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin';
  const origin = request.get('origin');
  return origin !== undefined && URL.parse(origin)?.host === request.get('host');
};

/** Whether a request comes from a page of the console, or claims to. */
export const namesItself = (request: Request): boolean => request.get(consoleHeader) !== undefined;

/**
 * Lets a cookie count only for requests of the console's own pages: the protection from CSRF.
 * @throws CodedError `unauthenticated` for every other request
 */
export const requireOwnPage = (request: Request): void => {
  if (namesItself(request) && comesFromOurPage(request)) return;
  throw new CodedError('unauthenticated', {
    message:
      'The cookie of the console counts only for requests of the console itself. Send `Authorization: Bearer <API key or session token>`.',
  });
};

const loopback = new Set(['127.0.0.1', 'localhost', '[::1]']);

/**
 * Lets a cookie without TLS be set on this machine alone.
 * @throws CodedError `misconfigured` where the console is reached from elsewhere and its origin is not set
 */
export const requireSafeCookie = (request: Request, { session }: Cookies): void => {
  if (session.startsWith('__Host-')) return;
  const hostname = URL.parse(`http://${request.get('host') ?? ''}`)?.hostname;
  if (hostname !== undefined && loopback.has(hostname)) return;
  throw new CodedError('misconfigured', {
    message:
      'The console is reached under an address that is not configured: set STANZA_CONSOLE_URL to its https origin.',
  });
};
