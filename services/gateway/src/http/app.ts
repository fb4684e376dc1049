import { CodedError, entityTag, httpOperations, namesTag, openApiDocument } from '@stanza/contracts';
import { type Condition, productVersion } from '@stanza/runtime';
import express, {
  type Express,
  type Request,
  type RequestHandler,
  type Response,
  type Router,
} from 'express';
import { documentation } from './documentation.ts';
import { addressOf, downloads } from './downloads.ts';
import { fits, serveRefused, serveUnknown } from './no-route.ts';
import { protectedResourcePath } from './protected-resource.ts';
import { endUnread } from './read-bytes.ts';
import { readQuery } from './read-query.ts';
import { type Route, requestIdOf } from './request-context.ts';
import { type ServeDependencies, serve } from './serve.ts';

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

const makeDocument = (): { text: string; tag: string } => {
  const { servers: _relative, ...rest } = openApiDocument();
  const text = JSON.stringify(rest);
  return { text, tag: entityTag(text) };
};

/**
 * The OpenAPI document without an address, the same for all applications of a process. It takes 0.3 s of CPU, which a
 * start does not wait for: it is made for the first request that reads it.
 */
let made: ReturnType<typeof makeDocument> | undefined;

/** The OpenAPI document with the address under which it is read, for tools that keep it as a file. */
const serveDocument = (origin: string | undefined): RequestHandler => {
  return (request, response) => {
    made ??= makeDocument();
    const servers = JSON.stringify([{ url: addressOf(request, origin), description: 'This gateway.' }]);
    const located = `{"servers":${servers},${made.text.slice(1)}`;
    const tag = entityTag(made.tag + servers);
    response.set({ ETag: tag, 'Cache-Control': 'no-cache', Vary: 'Host' });
    if (namesTag(request.get('if-none-match') ?? '', tag)) response.status(304).end();
    else response.type('json').send(located);
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
  /** Where people and programs reach the gateway; that of each request where it is not known. */
  origin?: string | undefined;
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
  { condition, headers, origin, console, mcp, signIn }: AppSurroundings,
): Express => {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', (text: string | null) => (text === null ? {} : readQuery(text)));
  app.enable('case sensitive routing');
  // Probes and pages get a request id too; operations write it themselves.
  app.use((request, response, next) => {
    response.setHeader('X-Request-Id', requestIdOf(request.get('x-request-id')));
    for (const name in headers) response.setHeader(name, headers[name] ?? '');
    next();
  });
  app.use(endUnread);
  app.use(refuseManyHeaders);
  const all = routes();
  const serveRoute = (route: Route) => serve(route, dependencies);
  app.use(serveDirectly(all, serveRoute));
  addProbes(app, condition);
  app.get('/', leadPeople(console ? '/console/' : '/docs/'));
  app.get('/openapi.json', serveDocument(origin));
  app.use('/docs', documentation());
  app.use('/downloads', downloads(origin));
  if (signIn) app.get(protectedResourcePath, signIn);
  if (console) app.use('/console', console);
  if (mcp) app.use(mcp);
  const unknown = serveUnknown(dependencies, all);
  mountAll(app, all, serveRoute, unknown);
  app.use(unknown);
  app.use(serveRefused(dependencies));
  return app;
};

/** Headers of one request; beyond a far higher number the HTTP parser would silently drop some. */
const maxHeaders = 100;

/** Refuses a request with too many headers; the parser limits their bytes. */
export const refuseManyHeaders: RequestHandler = (request, _response, next) => {
  if (request.rawHeaders.length <= 2 * maxHeaders) return next();
  const message = `The request has more than ${maxHeaders} headers.`;
  return next(new CodedError('invalid_request', { http_status: 431, message }));
};

const expressPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

const parameters = (path: string): number => path.split('{').length - 1;

/**
 * Every route. Express tries them in order: those under `/v1` come first, since most requests use it, and those with
 * fewer parameters before the others, so that `/templates/block-schema` is not taken for a template's id.
 */
export const routes = (): Route[] => {
  const ordered = [...httpOperations].sort((one, other) => parameters(one.path) - parameters(other.path));
  const under = (prefix: string): Route[] =>
    ordered.map((operation) => ({
      operation,
      path: `${prefix}${expressPath(operation.path)}`,
      prefixed: prefix !== '',
    }));
  return [...under('/v1'), ...under('')];
};

/** Registers a handler for a route; express names its methods like HTTP. */
const mount = (
  app: Express,
  route: Route,
  handler: (request: Request, response: Response) => Promise<void>,
): void => {
  const { method } = route.operation;
  if (method === 'GET') app.get(route.path, handler);
  else if (method === 'POST') app.post(route.path, handler);
  else if (method === 'PUT') app.put(route.path, handler);
  else if (method === 'PATCH') app.patch(route.path, handler);
  else app.delete(route.path, handler);
};

/** An id in a path, with the slash before it. */
const idInPath = /\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?=\/|$)/g;

/** Paths with ids are alike where the ids alone differ. */
const shapeOf = (path: string): string => path.replace(/:\w+/g, ':');

const namesIn = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);

/**
 * Serves the operations whose path has ids alone for parameters, found by method and path in one step. Express looks for
 * a route by trying one after the other, which costs a compile more than to read its body; what differs from the written
 * path, such as a slash at its end, is left to it.
 */
export const serveDirectly = (
  all: readonly Route[],
  serve: (route: Route) => (request: Request, response: Response) => Promise<void>,
): RequestHandler => {
  const found = new Map<string, { names: string[]; handler: ReturnType<typeof serve> }>();
  for (const route of all) {
    const key = `${route.operation.method} ${shapeOf(route.path)}`;
    // The first one has a path, as in express.
    if (!found.has(key)) found.set(key, { names: namesIn(route.path), handler: serve(route) });
  }
  return (request, response, next) => {
    const ids: string[] = [];
    const shape = request.path.replace(idInPath, (_, id: string) => {
      ids.push(id);
      return '/:';
    });
    const one = found.get(`${request.method} ${shape}`);
    if (one?.names.length !== ids.length) return next();
    request.params = Object.fromEntries(one.names.map((name, at) => [name, ids[at] ?? '']));
    return one.handler(request, response);
  };
};

/** A path that another route, with more parameters, would take for one of its own. */
const isTaken = ({ path }: Route, all: readonly Route[]): boolean =>
  all.some((other) => other.path !== path && fits(other, path.split('/')));

/**
 * Registers all routes. A path without a method must not be taken for a resource: `GET /templates/compile` reads no
 * template, so the few such paths are closed before the routes with more parameters follow.
 */
export const mountAll = (
  app: Express,
  all: readonly Route[],
  serve: (route: Route) => (request: Request, response: Response) => Promise<void>,
  refuse: RequestHandler,
): void => {
  const levels = Map.groupBy(all, ({ prefixed, operation }) => `${prefixed} ${parameters(operation.path)}`);
  for (const level of levels.values()) {
    for (const route of level) mount(app, route, serve(route));
    const taken = new Set(level.filter((route) => isTaken(route, all)).map(({ path }) => path));
    for (const path of taken) {
      app.all(path, (request, response, next) =>
        request.method === 'OPTIONS' ? next() : refuse(request, response, next),
      );
    }
  }
};
