import { apiKeyDigest, CodedError, isApiKey } from '@stanza/contracts';
import { type Clock, type Keyring, type Logger, newContext } from '@stanza/runtime';
import express, { type Request, type Response, type Router } from 'express';
import { type Credentials, requireAddress } from '../access/credentials.ts';
import { messagePage } from '../http/answers.ts';
import { requestIdOf } from '../http/request-context.ts';
import { type GuardDependencies, type Guarded, guarding } from '../limits/guard.ts';
import { holderOf, type RateLimits } from '../limits/rate-limits.ts';
import {
  type Cookies,
  readCookie,
  requireOwnPage,
  requireSafeCookie,
  setCookie,
  signInLifeS,
} from './cookies.ts';
import { type ConsoleProvider, ProviderAway, SignInRefused } from './provider.ts';
import { readKey } from './read-key.ts';
import type { ConsoleSessions, SessionHolder, SignInRequest } from './sessions.ts';
import { decryptSignIn, encryptSignIn, safeReturn } from './sign-in-cookie.ts';

/** Signing in at the identity provider. */
interface People {
  issuer: string;
  /** Where browsers reach the console. */
  origin: string;
  provider: ConsoleProvider;
  keys: Keyring;
}

/** What signing in works with. */
export interface SignInDependencies extends GuardDependencies {
  sessions: ConsoleSessions;
  cookies: Cookies;
  credentials: Pick<Credentials, 'findKey'>;
  rates: Pick<RateLimits, 'take'>;
  /** Undefined where keys alone are taken. */
  people: People | undefined;
  clock: Clock;
  log: Logger;
}

/** Milliseconds for looking a key up. */
const deadlineMs = 5_000;

/**
 * Looks a key up as every request with it does.
 * @throws CodedError `invalid_token`, and `access_denied` where it may not be used from here
 */
const requireKey = async (
  { credentials, clientOf }: SignInDependencies,
  request: Request,
  digest: string,
): Promise<void> => {
  const client = clientOf(request);
  const requestId = requestIdOf(request.get('x-request-id'));
  requireAddress(
    await credentials.findKey(digest, newContext({ requestId, deadlineMs, client })),
    client.address,
  );
};

const notStored = (response: Response): Response => response.set('Cache-Control', 'no-store');

/** Shows a page for a person whose sign-in did not work. */
const showTrouble = (response: Response, error: unknown, log: Logger): void => {
  const isAway = error instanceof ProviderAway;
  if (!isAway && !(error instanceof SignInRefused)) throw error;
  log[isAway ? 'error' : 'info']({ err: error }, 'console sign-in not finished');
  const text = isAway
    ? [
        'The identity provider cannot be reached at the moment.',
        'Nothing was changed. Try again in a minute.',
      ]
    : ['The identity provider did not confirm who you are, or this page was opened twice.', 'Sign in again.'];
  const { status, body, headers } = messagePage(isAway ? 503 : 400, {
    title: 'Signing in did not work',
    text,
  });
  notStored(response.status(status).set(headers ?? {})).send(body);
};

const requirePeople = (people: People | undefined): People => {
  if (people !== undefined) return people;
  throw new CodedError('misconfigured', { message: 'No identity provider is configured for the console.' });
};

const beginSignIn =
  ({ people, cookies, clock, log }: SignInDependencies): Guarded =>
  async (request, response) => {
    const { origin, provider, keys } = requirePeople(people);
    const elsewhere = ownAddress(request, origin);
    if (elsewhere !== undefined) return response.redirect(302, elsewhere);
    try {
      const { url, checks } = await provider.begin();
      const returnTo = safeReturn(request.query.return_to);
      const encrypted = encryptSignIn({ ...checks, returnTo, at: clock.now().getTime() }, keys);
      response.append('Set-Cookie', setCookie(cookies.signIn, encrypted, cookies.flags, signInLifeS));
      notStored(response).redirect(302, url);
    } catch (error) {
      showTrouble(response, error, log);
    }
  };

/** What the audit log says of a request. */
const requestOf = ({ clientOf, clock }: SignInDependencies, request: Request): SignInRequest => ({
  requestId: requestIdOf(request.get('x-request-id')),
  client: clientOf(request),
  at: clock.now(),
});

/** Gives the browser a new session. The one that it had ends, so that a cookie set beforehand is worth nothing. */
const replaceSession = async (
  { sessions, cookies }: SignInDependencies,
  request: Request,
  response: Response,
  begin: () => Promise<string>,
): Promise<void> => {
  const before = readCookie(request.get('cookie'), cookies.session);
  if (before !== undefined) await sessions.end(before);
  response.append('Set-Cookie', setCookie(cookies.session, await begin(), cookies.flags));
};

const finishSignIn =
  (dependencies: SignInDependencies): Guarded =>
  async (request, response) => {
    const { people, cookies, clock, log, sessions } = dependencies;
    const { issuer, origin, provider, keys } = requirePeople(people);
    const encrypted = readCookie(request.get('cookie'), cookies.signIn);
    response.append('Set-Cookie', setCookie(cookies.signIn, '', cookies.flags, 0));
    const pending = decryptSignIn(encrypted, keys, clock.now().getTime());
    try {
      if (pending === undefined) throw new SignInRefused('the browser has begun no sign-in');
      const { search, searchParams } = new URL(request.originalUrl, origin);
      if (searchParams.get('state') !== pending.state) throw new SignInRefused('the state is another');
      // Before the provider is asked: the cookie can be sent as often as its holder likes.
      if (!(await sessions.spend(pending.state)))
        throw new SignInRefused('the sign-in was returned from before');
      const signedIn = await provider.finish(search, pending);
      await countSignIn(dependencies, 'person', issuer, signedIn.subject);
      await replaceSession(dependencies, request, response, () =>
        sessions.beginPerson(signedIn, requestOf(dependencies, request)),
      );
      notStored(response).redirect(303, pending.returnTo);
    } catch (error) {
      showTrouble(response, error, log);
    }
  };

/**
 * Counts a sign-in of a person or a key: each is a line in the audit log of their organizations.
 * @throws CodedError `rate_limited`
 */
const countSignIn = async (
  { rates }: SignInDependencies,
  who: 'person' | 'key',
  ...named: readonly string[]
): Promise<void> => {
  const quota = await rates.take(holderOf(who, ...named), 'person');
  if (quota === undefined || quota.isGranted) return;
  throw new CodedError('rate_limited', {
    message: `The ${who} has signed in too often; it may again in ${quota.secondsToMore} s.`,
    retry_after: quota.secondsToMore,
    nothing_done: true,
  });
};

/** Whether a key is known not to be let in, and not merely unchecked. */
const isRefusal = (error: unknown): boolean =>
  error instanceof CodedError && (error.code === 'invalid_token' || error.code === 'access_denied');

const signInWithKey =
  (dependencies: SignInDependencies): Guarded =>
  async (request, response) => {
    const { cookies, sessions } = dependencies;
    requireOwnPage(request);
    requireSafeCookie(request, cookies);
    const key = await readKey(request, response);
    if (!isApiKey(key)) {
      throw new CodedError('invalid_token', {
        message: 'Not a valid API key: it may be mistyped or cut off.',
      });
    }
    const digest = apiKeyDigest(key);
    const from = requestOf(dependencies, request);
    try {
      await requireKey(dependencies, request, digest);
    } catch (error) {
      if (isRefusal(error)) await sessions.refuseKey(digest, from);
      throw error;
    }
    await countSignIn(dependencies, 'key', digest);
    await replaceSession(dependencies, request, response, () => sessions.beginKey(digest, from));
    notStored(response).json({ success: true });
  };

const signOut =
  (dependencies: SignInDependencies): Guarded =>
  async (request, response) => {
    const { sessions, cookies } = dependencies;
    requireOwnPage(request);
    const cookie = readCookie(request.get('cookie'), cookies.session);
    if (cookie !== undefined) await sessions.end(cookie, requestOf(dependencies, request));
    response.append('Set-Cookie', setCookie(cookies.session, '', cookies.flags, 0));
    notStored(response).json({ success: true });
  };

const shownOf = (holder: SessionHolder): object =>
  holder.kind === 'person'
    ? { kind: 'person', email: holder.person.email, subject: holder.person.subject }
    : { kind: 'key' };

/** Whether the session of a cookie has ended, or its key has: the visitor is to sign in again. */
const hasEnded = (error: unknown): boolean => error instanceof CodedError && error.code === 'invalid_token';

const showSession =
  (dependencies: SignInDependencies): Guarded =>
  async (request, response) => {
    const { sessions, cookies } = dependencies;
    requireOwnPage(request);
    const cookie = readCookie(request.get('cookie'), cookies.session);
    if (cookie === undefined) return void notStored(response).json({ kind: 'none' });
    try {
      const holder = await sessions.find(cookie);
      if (holder.kind === 'key') await requireKey(dependencies, request, holder.keyDigest);
      notStored(response).json(shownOf(holder));
    } catch (error) {
      if (!hasEnded(error)) throw error;
      await sessions.end(cookie);
      response.append('Set-Cookie', setCookie(cookies.session, '', cookies.flags, 0));
      notStored(response).json({ kind: 'none' });
    }
  };

/** Sessions begin and end here: at the identity provider, or with an API key. */
export const signInRouter = (dependencies: SignInDependencies): Router => {
  const router = express.Router();
  const guarded = guarding(dependencies);
  router.get('/options', (_request, response) => {
    notStored(response).json({ person: dependencies.people !== undefined, key: true });
  });
  router.get('/sign-in', guarded('sign_ins', beginSignIn(dependencies)));
  router.get('/callback', guarded('sign_in_returns', finishSignIn(dependencies)));
  router.post('/key', guarded('sign_ins', signInWithKey(dependencies)));
  router.post('/sign-out', guarded('console_sessions', signOut(dependencies)));
  router.get('/session', guarded('console_sessions', showSession(dependencies)));
  return router;
};

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
