import type { RequestListener, Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { CodedError } from '@stanza/contracts';
import { type Door, doorOf, type Logger, whenMalformed } from '@stanza/runtime';
import { errorAnswer } from './answers.ts';
import { jsonType, requestIdOf } from './request-context.ts';

// Not imported, which would load the web's `fetch` as well: 50 ms of CPU and 13 MB.
const { createServer } = process.getBuiltinModule('node:http');

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

const malformed = 'The request is not well-formed HTTP, its headers are too large, or it is too slow.';

/** Makes the refusal of a request that has reached no route, and notes it. */
type Refuse = (status: number, message: string, socket: Duplex) => Refusal;

const refuseMalformed = (server: Server, headers: Record<string, string>, refusal: Refuse): void => {
  whenMalformed(server, (error, socket, answering) => {
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

/** Where to listen. */
export interface ListenOptions {
  port: number;
  host: string;
  log: Logger;
}

/**
 * Listens.
 * @throws when the port is in use
 */
export const listen = async (server: Server, { port, host, log }: ListenOptions): Promise<Door> => {
  const door = doorOf(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  log.info({ address: server.address() }, 'listening');
  return door;
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
