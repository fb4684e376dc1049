import type { Server } from 'node:http';
import type { Logger } from '@stanza/runtime';

/** Milliseconds for the headers and for the whole of a request; a slower client is disconnected. */
const headersTimeoutMs = 10_000;
const requestTimeoutMs = 30_000;
/** Longer than the idle timeout of the usual load balancers (60 s), so that they and not we close idle connections. */
const keepAliveMs = 65_000;

/** Where to listen. */
export interface ListenOptions {
  port: number;
  host: string;
  log: Logger;
}

/**
 * Listens, and answers a function that stops: no new connections, idle ones closed, running requests finished.
 * @throws when the port is taken
 */
export const listen = async (
  server: Server,
  { port, host, log }: ListenOptions,
): Promise<() => Promise<void>> => {
  server.headersTimeout = headersTimeoutMs;
  server.requestTimeout = requestTimeoutMs;
  server.keepAliveTimeout = keepAliveMs;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  log.info({ address: server.address() }, 'listening');
  return () =>
    new Promise((resolve, reject) => {
      server.close((error) => (error ? reject(error) : resolve()));
      server.closeIdleConnections();
    });
};
