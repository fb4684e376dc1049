import { entityTag, namesTag, openApiDocument } from '@stanza/contracts';
import { type Condition, productVersion } from '@stanza/runtime';
import express, { type Express, type RequestHandler, type Response, type Router } from 'express';
import { requestIdOf } from '../pipeline/request-id.ts';
import { documentation } from './documentation.ts';
import { refuseManyHeaders } from './header-limit.ts';
import { protectedResourcePath } from './protected-resource.ts';
import { mountAll, type Route, routes, serveDirectly } from './routes.ts';
import { type ServeDependencies, serve, serveRefused, serveUnknown } from './serve.ts';

const answerProbe = (response: Response, trouble: string | undefined): void => {
  if (trouble === undefined) response.json({ status: 'ok' });
  else response.status(503).json({ status: 'unavailable', reason: trouble });
};

const addProbes = (app: Express, condition: Condition): void => {
  app.get('/livez', (_request, response) => answerProbe(response, condition.illness()));
  app.get('/readyz', (_request, response) => answerProbe(response, condition.unreadiness()));
  const version = { name: 'stanza', version: productVersion };
  app.get('/version', (_request, response) => void response.json(version));
};

/** The OpenAPI document, which stays the same for as long as the process lives. */
const serveDocument = (): RequestHandler => {
  const document = JSON.stringify(openApiDocument());
  const tag = entityTag(document);
  return (request, response) => {
    response.set({ ETag: tag, 'Cache-Control': 'no-cache' });
    if (namesTag(request.get('if-none-match') ?? '', tag)) response.status(304).end();
    else response.type('json').send(document);
  };
};

/** Leads people who follow the bare address to a page; programs get the error that names the operations. */
const leadPeople =
  (to: string): RequestHandler =>
  (request, response, next) => {
    response.vary('Accept');
    if (request.accepts(['json', 'html']) === 'html') response.redirect(302, to);
    else next();
  };

/** What the application has besides its operations. */
export interface AppSurroundings {
  condition: Condition;
  /** Of every answer. */
  headers: Record<string, string>;
  /** Serves the console; undefined where it is switched off. */
  console?: Router | undefined;
  /** Tells where people sign in to the command; undefined where they do not. */
  signIn?: RequestHandler | undefined;
  /** Serves agents; undefined where that is switched off. */
  mcp?: Router | undefined;
}

/** Builds the express application: every operation of the registry, the documentation, the probes. */
export const createApp = (
  dependencies: ServeDependencies,
  { condition, headers, console, mcp, signIn }: AppSurroundings,
): Express => {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.enable('case sensitive routing');
  // Probes and pages get a request id too; operations write it themselves.
  app.use((request, response, next) => {
    response.setHeader('X-Request-Id', requestIdOf(request.get('x-request-id')));
    for (const name in headers) response.setHeader(name, headers[name] ?? '');
    next();
  });
  app.use(refuseManyHeaders);
  const all = routes();
  const serveRoute = (route: Route) => serve(route, dependencies);
  app.use(serveDirectly(all, serveRoute));
  addProbes(app, condition);
  app.get('/', leadPeople(console ? '/console/' : '/docs'));
  app.get('/openapi.json', serveDocument());
  app.use('/docs', documentation());
  if (signIn) app.get(protectedResourcePath, signIn);
  if (console) app.use('/console', console);
  if (mcp) app.use(mcp);
  const unknown = serveUnknown(dependencies, all);
  mountAll(app, all, serveRoute, unknown);
  app.use(unknown);
  app.use(serveRefused(dependencies));
  return app;
};
