import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { CodedError } from '@stanza/contracts';
import { requestIdOf } from '../pipeline/request-id.ts';
import { errorAnswer } from './errors.ts';

/** How long a client may take, in milliseconds. */
export interface Patience {
  /** For the headers of a request. */
  headersMs: number;
  /** For the whole of a request. */
  requestMs: number;
  /** Without a byte in either direction, while a request or its answer is under way. */
  silenceMs: number;
  /** Between two looks at who takes too long. */
  checkMs: number;
}

/** The longest operation takes less than the silence. */
const usualPatience: Patience = { headersMs: 10_000, requestMs: 30_000, silenceMs: 45_000, checkMs: 1_000 };
/** Longer than the idle timeout of the usual load balancers (60 s), so that they and not we close idle connections. */
const keepAliveMs = 65_000;
/**
 * An idle connection is closed so much later than the answer has announced: a client that is slow to notice the end
 * does not send its next request into a closing connection.
 */
const keepAliveBufferMs = 15_000;
/** Bytes of a request's line and headers. */
const maxHeaderSize = 16 * 1024;

/** What the server is to keep to. */
export interface ServerLimits {
  /** Connections at one time; more are closed unheard. */
  connections: number;
  onDropped: () => void;
  /** Headers of every answer. */
  headers: Record<string, string>;
  patience?: Patience;
}

/** What the HTTP parser refuses never reaches a route, and is a coded answer all the same. */
const statusOfParserError: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

const rawAnswer = (status: number, message: string, headers: Record<string, string>): string => {
  const requestId = requestIdOf(undefined);
  const answer = errorAnswer(new CodedError('invalid_request', { http_status: status, message }), requestId);
  const head = [
    `HTTP/1.1 ${status} Refused`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(answer.body)}`,
    `X-Request-Id: ${requestId}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${answer.body}`;
};

/** Milliseconds in which the client of a refused tunnel takes its answer. */
const tunnelMs = 5_000;

/**
 * Answers a request for a tunnel. Node hands its socket over without any listener: a reset would be an exception that
 * ends the process, and a client that never closes would keep the socket for ever.
 */
const refuseTunnel = (socket: Duplex, answer: string): void => {
  const giveUp = setTimeout(() => socket.destroy(), tunnelMs);
  socket.once('close', () => clearTimeout(giveUp));
  socket.once('end', () => socket.destroy());
  socket.on('error', () => socket.destroy());
  socket.resume();
  socket.end(answer);
};

const refuseMalformed = (server: Server, headers: Record<string, string>): void => {
  const refusal = (status: number, message: string) => rawAnswer(status, message, headers);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
    const status = statusOfParserError[error.code ?? ''] ?? 400;
    socket.end(refusal(status, 'The request is no well-formed HTTP, too large in its headers, or too slow.'));
  });
  server.on('connect', (_request, socket) => {
    refuseTunnel(socket, refusal(400, 'The gateway is no proxy.'));
  });
  server.on('checkExpectation', (_request, response: ServerResponse) => {
    response.socket?.end(refusal(417, 'The gateway meets no expectation but 100-continue.'));
  });
};

/** Makes the server of the API: bounded in connections, in the size of headers, and in the time that a client takes. */
export const createHttpServer = (
  answer: RequestListener,
  { connections, onDropped, headers, patience = usualPatience }: ServerLimits,
): Server => {
  const { headersMs, requestMs, silenceMs, checkMs } = patience;
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
    answer,
  );
  server.timeout = silenceMs;
  server.maxConnections = connections;
  server.on('drop', onDropped);
  refuseMalformed(server, headers);
  return server;
};
