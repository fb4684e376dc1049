import type { Server, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { CodedError } from '@stanza/contracts';
import type { Logger } from '@stanza/runtime';
import { errorAnswer } from './errors.ts';
import { requestIdOf } from './pipeline/request-id.ts';

/** Milliseconds for the headers and for the whole of a request; a slower client is disconnected. */
const headersTimeoutMs = 10_000;
const requestTimeoutMs = 30_000;
/** Longer than the idle timeout of the usual load balancers (60 s), so that they and not we close idle connections. */
const keepAliveMs = 65_000;
/**
 * Milliseconds between the order to stop and the end of listening: every answer in it says that the connection closes,
 * so that clients which keep connections leave by themselves instead of meeting a reset.
 */
const lameDuckMs = 1_000;
/** Milliseconds for requests that are under way; longer than the longest deadline but one, within the grace period. */
const drainMs = 18_000;
const idleCheckMs = 100;

/** Where to listen. */
export interface ListenOptions {
  port: number;
  host: string;
  log: Logger;
}

/** What the HTTP parser refuses never reaches a route, and is a coded answer all the same. */
const statusOfParserError: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

const rawAnswer = (status: number, message: string): string => {
  const requestId = requestIdOf(undefined);
  const answer = errorAnswer(new CodedError('invalid_request', { http_status: status, message }), requestId);
  const head = [
    `HTTP/1.1 ${status} Refused`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(answer.body)}`,
    `X-Request-Id: ${requestId}`,
    'Connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${answer.body}`;
};

const refuseMalformed = (server: Server): void => {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
    const status = statusOfParserError[error.code ?? ''] ?? 400;
    socket.end(
      rawAnswer(status, 'The request is no well-formed HTTP, too large in its headers, or too slow.'),
    );
  });
  server.on('connect', (_request, socket) => {
    socket.end(rawAnswer(400, 'The gateway is no proxy.'));
  });
  server.on('checkExpectation', (_request, response: ServerResponse) => {
    response.socket?.end(rawAnswer(417, 'The gateway meets no expectation but 100-continue.'));
  });
};

/** Marks every answer from now on, those that are being made included, as the last of its connection. */
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
 * Listens, and answers a function that stops: first every answer says that its connection closes, then nothing is
 * accepted any more, and what is under way is finished.
 * @throws when the port is taken
 */
export const listen = async (
  server: Server,
  { port, host, log }: ListenOptions,
): Promise<() => Promise<void>> => {
  server.headersTimeout = headersTimeoutMs;
  server.requestTimeout = requestTimeoutMs;
  server.keepAliveTimeout = keepAliveMs;
  refuseMalformed(server);
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
  return async () => {
    announceClosing(server, open);
    await pause(lameDuckMs);
    await closeServer(server);
  };
};
