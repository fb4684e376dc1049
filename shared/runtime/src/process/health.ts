import { createServer, type Server, type ServerResponse } from 'node:http';
import type { Metrics } from '../observability/metrics.ts';

/** Options of {@link serveHealth}. */
export interface HealthOptions {
  /** 0 takes any free port. */
  port: number;
  host: string;
  metrics: Metrics;
  /** Why the process should be restarted; undefined while it is healthy. */
  illness: () => string | undefined;
  /** Why the process takes no requests; undefined while it is ready. */
  unreadiness: () => string | undefined;
}

/** The server of `/metrics`, `/livez` and `/readyz`. */
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

const answerMetrics = async (response: ServerResponse, { registry }: Metrics): Promise<void> => {
  const text = await registry.metrics();
  response.writeHead(200, { 'content-type': registry.contentType });
  response.end(text);
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
    const path = request.url?.split('?', 1)[0];
    if (path === '/livez') answer(response, options.illness());
    else if (path === '/readyz') answer(response, options.illness() ?? options.unreadiness());
    else if (path === '/metrics') {
      answerMetrics(response, options.metrics).catch((err: unknown) =>
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
