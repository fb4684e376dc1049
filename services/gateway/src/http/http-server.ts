import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { CodedError } from '@stanza/contracts';
import type { Logger } from '@stanza/runtime';
import { errorAnswer } from './answers.ts';
import { jsonType, requestIdOf } from './request-context.ts';

/** Timeouts of a client, milliseconds. */
export interface ClientTimeouts {
  /** For the headers of a request, from its first byte. */
  headersMs: number;
  /** For the whole request. */
  requestMs: number;
  /** Without a byte in either direction, during a request or its response. */
  silenceMs: number;
  /** Interval at which timeouts are checked. */
  checkMs: number;
}

/** The longest operation takes less than the idle timeout of a request. */
const usualTimeouts: ClientTimeouts = {
  headersMs: 10_000,
  requestMs: 30_000,
  silenceMs: 45_000,
  checkMs: 1_000,
};
/**
 * Longer than the idle timeout of common load balancers (60 s), so that they close idle connections and not the
 * gateway.
 */
const keepAliveMs = 65_000;
/**
 * Time between the announced and the actual end of an idle connection: a client that is slow to notice the end does not
 * send its next request into a closing connection.
 */
const keepAliveBufferMs = 15_000;
/** Bytes of a request's line and headers. */
const maxHeaderSize = 16 * 1024;

/** A request that the server itself has refused: it has reached no route, which would count and log it. */
export interface Refused {
  status: number;
  requestId: string;
  /** The address of its connection. */
  address: string | undefined;
}

/** The limits of the server. */
export interface ServerLimits {
  /** Concurrent connections; further ones are closed without a response. */
  connections: number;
  onDropped: () => void;
  onRefused: (refused: Refused) => void;
  /** Headers of every response. */
  headers: Record<string, string>;
  timeouts?: ClientTimeouts;
}

/** A request refused by the HTTP parser reaches no route, and still gets a coded error. */
const statusOfParserError: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** A refusal of the server itself. */
interface Refusal {
  status: number;
  requestId: string;
  headers: Record<string, string>;
  body: string;
}

const refusalOf = (
  status: number,
  message: string,
  headers: Record<string, string>,
  requestId = requestIdOf(undefined),
): Refusal => {
  const answer = errorAnswer(new CodedError('invalid_request', { http_status: status, message }), requestId);
  const body = String(answer.body);
  return {
    status,
    requestId,
    headers: {
      'Content-Type': jsonType,
      'Content-Length': String(Buffer.byteLength(body)),
      'X-Request-Id': requestId,
      ...headers,
      Connection: 'close',
    },
    body,
  };
};

/** A refusal as it goes over the wire, where there is no response to write. */
const wireText = ({ status, headers, body }: Refusal): string => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} Refused\r\n${lines.join('')}\r\n${body}`;
};

const refuse = (response: ServerResponse, { status, headers, body }: Refusal): void => {
  response.writeHead(status, headers).end(body);
};

/** Milliseconds for the client of a refused CONNECT request to read its response. */
const tunnelMs = 5_000;

/**
 * Answers a CONNECT request. Node hands its socket over without any listener: a reset would be an uncaught exception,
 * and a client that never closes would keep the socket forever.
 */
const refuseTunnel = (socket: Duplex, answer: string): void => {
  const giveUp = setTimeout(() => socket.destroy(), tunnelMs);
  socket.once('close', () => clearTimeout(giveUp));
  socket.once('end', () => socket.destroy());
  socket.on('error', () => socket.destroy());
  socket.resume();
  socket.end(answer);
};

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

const malformed = 'The request is not well-formed HTTP, its headers are too large, or it is too slow.';

/** Makes the refusal of a request that has reached no route, and notes it. */
type Refuse = (status: number, message: string, socket: Duplex) => Refusal;

const refuseMalformed = (server: Server, headers: Record<string, string>, refusal: Refuse): void => {
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
    const status = statusOfParserError[error.code ?? ''] ?? 400;
    // Its route has begun, and logs it with the id that it has by now.
    const known = answering?.getHeader('X-Request-Id');
    if (answering && typeof known === 'string')
      return refuse(answering, refusalOf(status, malformed, headers, known));
    socket.end(wireText(refusal(status, malformed, socket)));
  });
  server.on('connect', (_request, socket) => {
    refuseTunnel(socket, wireText(refusal(400, 'The gateway is not a proxy.', socket)));
  });
  server.on('checkExpectation', ({ socket }, response: ServerResponse) => {
    refuse(response, refusal(417, 'The gateway supports no expectation but 100-continue.', socket));
  });
};

/**
 * The path and query of a request line; undefined where it has none. A client may name the host before them (RFC 9112,
 * 3.2.2).
 */
const targetOf = (url: string): string | undefined => {
  if (url.startsWith('/') || url === '*') return url;
  const [, target] = /^https?:\/\/[^/?#]+(.*)$/i.exec(url) ?? [];
  return target === undefined || target.startsWith('/') ? target : `/${target}`;
};

/** Makes the HTTP server of the API, with limits on connections, header size and client time. */
export const createHttpServer = (
  answer: RequestListener,
  { connections, onDropped, onRefused, headers, timeouts = usualTimeouts }: ServerLimits,
): Server => {
  const { headersMs, requestMs, silenceMs, checkMs } = timeouts;
  const refusal: Refuse = (status, message, socket) => {
    const made = refusalOf(status, message, headers);
    const address = socket instanceof Socket ? socket.remoteAddress : undefined;
    onRefused({ status, requestId: made.requestId, address });
    return made;
  };
  const server = createServer(
    {
      requireHostHeader: false,
      maxHeaderSize,
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      keepAliveTimeout: keepAliveMs,
      keepAliveTimeoutBuffer: keepAliveBufferMs,
      connectionsCheckingInterval: checkMs,
    },
    (request, response) => {
      const target = targetOf(request.url ?? '');
      if (target === undefined)
        return refuse(response, refusal(400, 'The request line names no path.', request.socket));
      request.url = target;
      return answer(request, response);
    },
  );
  // Whoever reads a body asks for it: a request that is refused before is spared sending one.
  server.on('checkContinue', (request, response) => void server.emit('request', request, response));
  server.timeout = silenceMs;
  server.maxConnections = connections;
  server.on('drop', onDropped);
  refuseMalformed(server, headers, refusal);
  return server;
};

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
  for (const response of open) closeAfter(response);
  server.prependListener('request', (_request, response) => closeAfter(response));
};

const closeServer = async (server: Server, connections: ReadonlySet<Socket>): Promise<void> => {
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

/**
 * Listens.
 * @throws when the port is in use
 */
export const listen = async (server: Server, { port, host, log }: ListenOptions): Promise<Door> => {
  const open = responsesOf(server);
  const connections = connectionsOf(server);
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
    close: () => closeServer(server, connections),
  };
};

/** API responses are not pages, so they may not load, frame or run anything. */
const apiContentPolicy = "default-src 'none'; frame-ancestors 'none'";

/**
 * Headers of every response. CORS headers are absent on purpose: a key or token used by a page on another site can be
 * read by its visitors.
 * @param hstsSeconds how long browsers use TLS only; 0 where the proxy in front sets the header
 */
export const securityHeaders = (hstsSeconds: number): Record<string, string> => ({
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Content-Security-Policy': apiContentPolicy,
  ...(hstsSeconds > 0 ? { 'Strict-Transport-Security': `max-age=${hstsSeconds}` } : {}),
});
