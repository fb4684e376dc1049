import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { controlRouter } from './control/router.ts';
import { identityRouter } from './identity/router.ts';
import { SigningKeys } from './identity/signing-keys.ts';
import type { IdentitySettings } from './identity/tokens.ts';
import { interactionsRouter } from './interactions/router.ts';
import { oauthRouter } from './oauth/router.ts';
import { pageRouter } from './page/router.ts';
import { webApiRouter } from './web-api/router.ts';
import type { World } from './world/world.ts';

/** The status of an error; errors of middleware carry one. */
function statusOf(error: unknown): number {
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
  return typeof status === 'number' ? status : 500;
}

const answerError: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  if (response.headersSent) return next(error);
  const status = statusOf(error);
  const message = error instanceof Error ? error.message : String(error);
  if (status >= 500) console.error(JSON.stringify({ level: 'error', msg: 'request failed', error: message }));
  return response
    .status(status)
    .json({ ok: false, error: status >= 500 ? 'fatal_error' : 'bad_request', message });
};

/** The sandbox as one express application: Web API, its consent screen, control surface, identity provider and page. */
export function createApp(
  world: World,
  identity: IdentitySettings,
  hosts: readonly string[],
  now: () => number,
): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(onlyKnownHosts(hosts));
  app.use('/api', webApiRouter(world, identity.publicUrl));
  app.use('/oauth', oauthRouter(world));
  app.use('/control', controlRouter(world));
  app.use('/interactions', interactionsRouter(world));
  app.use('/identity', identityRouter(new SigningKeys(), identity, now));
  app.use(pageRouter(world));
  app.use((_request, response) => {
    response.status(404).json({ ok: false, error: 'not_found' });
  });
  app.use(answerError);
  return app;
}

const ofThisMachine = ['localhost', '127.0.0.1', '[::1]'];

/** The name in a Host header, without its port. */
const nameOf = (host: string): string => host.replace(/:\d+$/, '').toLowerCase();

/**
 * Refuses requests for an unknown host name, against DNS rebinding: a foreign page whose name resolves to this machine
 * could read the sandbox's answers in a developer's browser.
 */
export const onlyKnownHosts = (hosts: readonly string[]): RequestHandler => {
  const known = new Set([...ofThisMachine, ...hosts.map(nameOf)]);
  return (request, response, next) => {
    if (known.has(nameOf(request.headers.host ?? ''))) return next();
    const message = 'the sandbox does not answer under this name; STANZA_SANDBOX_HOSTS adds one';
    return response.status(421).json({ ok: false, error: 'unknown_host', message });
  };
};
