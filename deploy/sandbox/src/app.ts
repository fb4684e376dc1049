import type { RequestListener } from 'node:http';
import express, { type ErrorRequestHandler } from 'express';
import { controlRouter } from './control/router.ts';
import { identityRouter } from './identity/router.ts';
import { SigningKeys } from './identity/signing-keys.ts';
import type { IdentitySettings } from './identity/tokens.ts';
import { interactionsRouter } from './interactions/router.ts';
import { oauthRouter } from './oauth/router.ts';
import { pageRouter } from './page/router.ts';
import { respond, respondToError } from './respond.ts';
import { webApi, webApiPath } from './web-api/router.ts';
import type { World } from './world/world.ts';

/** The status of an error; errors of middleware carry one. */
function statusOf(error: unknown): number {
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
  return typeof status === 'number' ? status : 500;
}

const answerError: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
  const status = statusOf(error);
  if (response.headersSent || status >= 500) return respondToError(response, error);
  const message = error instanceof Error ? error.message : String(error);
  return respond(response, status, { ok: false, error: 'bad_request', message });
};

/** The sandbox as one listener: Web API, its consent screen, control surface, identity provider and page. */
export function createApp(
  world: World,
  identity: IdentitySettings,
  hosts: readonly string[],
  now: () => number,
): RequestListener {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use('/oauth', oauthRouter(world));
  app.use('/control', controlRouter(world));
  app.use('/interactions', interactionsRouter(world));
  app.use('/identity', identityRouter(new SigningKeys(), identity, now));
  app.use(pageRouter(world));
  app.use((_request, response) => {
    response.status(404).json({ ok: false, error: 'not_found' });
  });
  app.use(answerError);
  const callMethod = webApi(world, identity.publicUrl);
  const isKnown = knownHosts(hosts);
  return (request, response) => {
    if (!isKnown(request.headers.host ?? '')) return respond(response, 421, unknownHost);
    return request.url?.startsWith(webApiPath) ? callMethod(request, response) : app(request, response);
  };
}

const ofThisMachine = ['localhost', '127.0.0.1', '[::1]'];

/** The name in a Host header, without its port. */
const nameOf = (host: string): string => host.replace(/:\d+$/, '').toLowerCase();

const unknownHost = {
  ok: false,
  error: 'unknown_host',
  message: 'the sandbox does not answer under this name; STANZA_SANDBOX_HOSTS adds one',
};

/**
 * Requests for an unknown host name are refused, against DNS rebinding: a foreign page whose name resolves to this
 * machine could read the sandbox's answers in a developer's browser.
 */
const knownHosts = (hosts: readonly string[]): ((host: string) => boolean) => {
  const known = new Set([...ofThisMachine, ...hosts.map(nameOf)]);
  return (host) => known.has(nameOf(host));
};
