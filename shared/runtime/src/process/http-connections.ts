import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** The responses of a server that have not ended, from now on. */
const responsesOf = (server: Server): ReadonlySet<ServerResponse> => {
  const open = new Set<ServerResponse>();
  server.prependListener('request', (_request, response) => {
    open.add(response);
    response.once('close', () => open.delete(response));
  });
  return open;
};

/** The connections of a server, from now on. */
const connectionsOf = (server: Server): ReadonlySet<Socket> => {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return open;
};

/** Marks a response as the last of its connection. */
const closeAfter = (response: ServerResponse): void => {
  if (!response.headersSent) response.setHeader('Connection', 'close');
};

/**
 * Calls back for a request that the parser refuses, or that is too slow, where a refusal can be written.
 * @param refuse gets the response of the request whose body is at fault; undefined where there is none yet
 */
export const whenMalformed = (
  server: Server,
  refuse: (error: NodeJS.ErrnoException, socket: Socket, answering: ServerResponse | undefined) => void,
): void => {
  const open = responsesOf(server);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // A connection opened ahead, which has carried nothing yet. A refusal would be read as the answer of the request that
    // is on its way; it stays as long as an idle one, and its first request is timed from its first byte.
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead === 0) return;
    if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
    const answering = [...open].find((response) => response.socket === socket);
    // What follows a request is at fault, and not that request, whose answer a refusal would be taken for.
    if (answering?.req.complete) return closeAfter(answering);
    if (answering?.headersSent) return void socket.destroy();
    refuse(error, socket, answering);
  });
};

/** Milliseconds for requests in flight; longer than the longest deadline but one, within the grace period. */
const usualDrainMs = 18_000;
const idleCheckMs = 100;

/** The shutdown of a server. */
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
  for (const response of open) closeAfter(response);
  server.prependListener('request', (_request, response) => closeAfter(response));
};

const closeServer = async (
  server: Server,
  connections: ReadonlySet<Socket>,
  drainMs: number,
): Promise<void> => {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const closeIdle = setInterval(() => {
    server.closeIdleConnections();
    // Node counts a connection that has carried nothing yet, as one opened ahead, among those with a request.
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
  }, idleCheckMs);
  const giveUp = new AbortController();
  const tooLong = pause(drainMs, undefined, { signal: giveUp.signal }).then(
    () => server.closeAllConnections(),
    () => undefined,
  );
  await Promise.race([closed, tooLong]);
  giveUp.abort();
  clearInterval(closeIdle);
};

/** The shutdown of a server that has no connections yet. */
export const doorOf = (server: Server, drainMs = usualDrainMs): Door => {
  const open = responsesOf(server);
  const connections = connectionsOf(server);
  return {
    announceClosing: () => announceClosing(server, open),
    close: () => closeServer(server, connections, drainMs),
  };
};
