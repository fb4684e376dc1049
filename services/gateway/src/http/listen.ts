import type { Server, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '@stanza/runtime';

/** Milliseconds for requests in flight; longer than the longest deadline but one, within the grace period. */
const drainMs = 18_000;
const idleCheckMs = 100;

/** Where to listen. */
export interface ListenOptions {
  port: number;
  host: string;
  log: Logger;
}

/** A listening server, and its shutdown. */
export interface Door {
  /**
   * From now on every response announces that its connection closes, so that keep-alive clients leave on their own
   * instead of meeting a reset.
   */
  announceClosing(): void;
  /** Stops accepting connections and finishes requests in flight. */
  close(): Promise<void>;
}

/** Marks every response from now on, including those in flight, as the last of its connection. */
const announceClosing = (server: Server, open: ReadonlySet<ServerResponse>): void => {
  const announce = (response: ServerResponse): void => {
    if (!response.headersSent) response.setHeader('Connection', 'close');
  };
  for (const response of open) announce(response);
  server.prependListener('request', (_request, response) => announce(response));
};

const closeServer = async (server: Server): Promise<void> => {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const closeIdle = setInterval(() => server.closeIdleConnections(), idleCheckMs);
  const giveUp = new AbortController();
  const tooLong = pause(drainMs, undefined, { signal: giveUp.signal }).then(
    () => server.closeAllConnections(),
    () => undefined,
  );
  await Promise.race([closed, tooLong]);
  giveUp.abort();
  clearInterval(closeIdle);
};

/**
 * Listens.
 * @throws when the port is in use
 */
export const listen = async (server: Server, { port, host, log }: ListenOptions): Promise<Door> => {
  const open = new Set<ServerResponse>();
  server.prependListener('request', (_request, response) => {
    open.add(response);
    response.once('close', () => open.delete(response));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  log.info({ address: server.address() }, 'listening');
  return {
    announceClosing: () => announceClosing(server, open),
    close: () => closeServer(server),
  };
};
