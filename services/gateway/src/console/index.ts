import { join } from 'node:path';
import type { Database, Outbox, RpcClient } from '@stanza/runtime';
import express, { type Request, type Router } from 'express';
import type { Credentials } from '../access/credentials.ts';
import type { GatewaySettings } from '../config.ts';
import { discoveryUrlOf } from '../http/protected-resource.ts';
import type { GuardDependencies } from '../limits/guard.ts';
import { consoleAssets, hashedFiles, readConsole } from './assets.ts';
import { type Cookies, cookieHolder, cookiesFor } from './cookies.ts';
import { ConsoleProvider } from './provider.ts';
import { ConsoleSessions, type PeopleSignIn, type SessionHolder } from './sessions.ts';
import { SharedAssets } from './shared-assets.ts';
import { type SignInDependencies, signInRouter } from './sign-in.ts';

/** The console's side of a gateway. */
export interface Console {
  /** Pages, files and sign-in below `/console`. */
  readonly router: Router;
  /**
   * Who acts behind the cookie of a request; undefined where it has none.
   * @throws CodedError where the cookie may not count, or its session has ended
   */
  readonly holderOf: (request: Request) => Promise<SessionHolder | undefined>;
  /** Keeps the files of its build for gateways of other versions. */
  readonly keepAssets: () => Promise<void>;
}

const peopleOf = (settings: GatewaySettings): PeopleSignIn | undefined => {
  const {
    STANZA_SESSION_ISSUER: issuer,
    STANZA_CONSOLE_URL: origin,
    STANZA_CONSOLE_CLIENT_ID: clientId,
    STANZA_CONSOLE_KEYS: keys,
  } = settings;
  if (issuer === undefined || origin === undefined || clientId === undefined || keys === undefined)
    return undefined;
  const provider = new ConsoleProvider({
    issuer,
    discoveryUrl: discoveryUrlOf(issuer, settings),
    clientId,
    clientSecret: settings.STANZA_CONSOLE_CLIENT_SECRET,
    redirectUri: `${origin}/console/auth/callback`,
  });
  return { issuer, clientId, provider, keys };
};

/** Where the console's build lies: next to this service, in an image as in a checkout. */
const buildFolder = join(import.meta.dirname, '../../../console/dist');

/** The console, unless it is switched off. */
export const openConsole = async (
  settings: GatewaySettings,
  dependencies: GuardDependencies &
    Pick<SignInDependencies, 'rates'> & {
      database: Database;
      outbox: Outbox;
      rpc: Pick<RpcClient, 'call'>;
      credentials: Credentials;
    },
): Promise<Console | undefined> => {
  if (settings.STANZA_CONSOLE === 'off') return undefined;
  const origin = settings.STANZA_CONSOLE_URL;
  const cookies: Cookies = cookiesFor(origin ?? 'http://127.0.0.1');
  const people = peopleOf(settings);
  const sessions = new ConsoleSessions(dependencies, people);
  const router = express.Router();
  const signingIn = people && origin !== undefined ? { ...people, origin } : undefined;
  router.use('/auth', signInRouter({ ...dependencies, sessions, cookies, people: signingIn }));
  // What is no step of the sign-in is no place of the console either.
  router.use('/auth', (_request, _response, next) => next('router'));
  const build = await readConsole(buildFolder);
  const shared = build && new SharedAssets(dependencies, hashedFiles(build));
  if (build && shared) router.use(consoleAssets(build, (path) => shared.find(path)));
  return {
    router,
    keepAssets: async () => shared?.keep(),
    holderOf: cookieHolder(cookies, (cookie) => sessions.find(cookie)),
  };
};
