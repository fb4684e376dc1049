import type { Server, ServerResponse } from 'node:http';
import { type Metrics, pageOf } from '../observability/metrics.ts';
import type { Condition } from './service-context.ts';

// An import would read each export of the module, of which one loads the web's `fetch`: 50 ms of CPU and 13 MB.
const { createServer } = process.getBuiltinModule('node:http');

/** Options of {@link serveHealth}. */
export interface HealthOptions extends Condition {
  /** 0 takes any free port. */
  port: number;
  host: string;
  /** Those of the process, and of each service in it; read at each scrape. */
  metrics: readonly Metrics[];
}

/** The server of `/metrics` (`?service=` names one of several), `/livez` and `/readyz`. */
export interface Health {
  /** The port that it listens on. */
  readonly port: number;
  close(): Promise<void>;
}

const answer = (response: ServerResponse, trouble: string | undefined): void => {
  response.writeHead(trouble === undefined ? 200 : 503, { 'content-type': 'application/json' });
  response.end(
    JSON.stringify(trouble === undefined ? { status: 'ok' } : { status: 'unavailable', reason: trouble }),
  );
};

const answerMetrics = async (response: ServerResponse, metrics: readonly Metrics[]): Promise<void> => {
  const [first] = metrics;
  if (first === undefined) return void response.writeHead(404).end();
  const page = await pageOf(metrics);
  response.writeHead(200, { 'content-type': first.registry.contentType });
  response.end(page);
};

const portOf = (server: Server): number => {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
};

/**
 * Listens for probes and scrapes.
 * @throws the error of `listen`, such as EADDRINUSE
 */
export const serveHealth = async (options: HealthOptions): Promise<Health> => {
  const server = createServer((request, response) => {
    const [path, query] = (request.url ?? '').split('?', 2);
    if (path === '/livez') answer(response, options.illness());
    else if (path === '/readyz') answer(response, options.illness() ?? options.unreadiness());
    else if (path === '/metrics') {
      const service = new URLSearchParams(query).get('service');
      const wanted = options.metrics.filter((it) => service === null || it.service === service);
      answerMetrics(response, wanted).catch((err: unknown) =>
        response.destroy(err instanceof Error ? err : undefined),
      );
    } else response.writeHead(404).end();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port, options.host, resolve);
  });
  return {
    port: portOf(server),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
