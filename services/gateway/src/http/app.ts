import { openApiDocument } from '@stanza/contracts';
import { type Condition, productVersion } from '@stanza/runtime';
import express, { type Express, type Response } from 'express';
import { requestIdOf } from '../pipeline/request-id.ts';
import { documentation } from './documentation.ts';
import { refuseManyHeaders } from './header-limit.ts';
import { mount, routes } from './routes.ts';
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

/** Builds the express application: every operation of the registry, the documentation, the probes. */
export const createApp = (
  dependencies: ServeDependencies,
  condition: Condition,
  headers: Record<string, string>,
): Express => {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.enable('case sensitive routing');
  // Probes and pages name their request too; operations write the same id themselves.
  app.use((request, response, next) => {
    response.setHeader('X-Request-Id', requestIdOf(request.get('x-request-id')));
    for (const name in headers) response.setHeader(name, headers[name] ?? '');
    next();
  });
  app.use(refuseManyHeaders);
  addProbes(app, condition);
  const document = JSON.stringify(openApiDocument());
  app.get('/openapi.json', (_request, response) => void response.type('json').send(document));
  app.use('/docs', documentation());
  const all = routes();
  for (const route of all) mount(app, route, serve(route, dependencies));
  app.use(serveUnknown(dependencies, all));
  app.use(serveRefused(dependencies));
  return app;
};
