import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type AddressRange, CodedError, clientAddress, isRequestId, peerAddress } from '@stanza/contracts';
import { whenMalformed } from '@stanza/runtime';
import { v4 } from 'uuid';
import { boundConnections } from './connections.ts';
import type { Gateways } from './gateways.ts';

// Not imported, which would load the web's `fetch` as well: 50 ms of CPU and 13 MB.
const { createServer, request } = process.getBuiltinModule('node:http');

/** Above the gateways' limit, so that the gateway answers oversized headers. */
const maxHeaderSize = 32 * 1024;
/** Milliseconds for the headers of a request, as at the gateways, and for all of it. */
const headersTimeoutMs = 10_000;
const requestTimeoutMs = 60_000;
const checkMs = 1_000;
const keepAliveMs = 65_000;
/** Milliseconds without data from a gateway, or on a connection of a client; longer than the longest operation. */
const silenceMs = 60_000;

/** Why the front itself answered a request. */
export type Unanswered = 'no_gateway' | 'broken';

/** Options of {@link createFront}. */
export interface FrontOptions {
  /**
   * Maximum connections, of which a client has an eighth; each holds memory, a descriptor, and a connection to a
   * gateway.
   */
  connections: number;
  gateways: Gateways;
  /** Proxies in front, which report the client in the header X-Forwarded-For. */
  trusted: readonly AddressRange[];
  /** Called for a request without an answer of a gateway, and for a connection over the limit. */
  onUnanswered: (why: Unanswered | 'full') => void;
}

/** Headers of one connection, which are not forwarded. */
const ofConnection = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authorization',
  'te',
  'trailer',
  'upgrade',
  'expect',
  // Set by the front, not by the client.
  'forwarded',
]);

/** The headers to forward, as a flat list of names and values. */
const handedOn = (rawHeaders: readonly string[], more: Record<string, string> = {}): string[] => {
  const kept = Object.entries(more).flat();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2);
    if (!ofConnection.has(name.toLowerCase()) && !(name.toLowerCase() in more)) kept.push(name, value);
  }
  return kept;
};

const messages: Record<Unanswered, string> = {
  no_gateway: 'No gateway takes requests. Nothing was changed.',
  broken:
    'The gateway closed the connection before it answered. The change may have happened; a request with an Idempotency-Key is safe to retry.',
};

const refuse = (response: ServerResponse, why: Unanswered, requestId: string): void => {
  const { code, status, message } = new CodedError('service_unavailable', { message: messages[why] });
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Retry-After': '1',
    'X-Request-Id': requestId,
  });
  response.end(JSON.stringify({ error: message, code, request_id: requestId }));
};

const clientOf = ({ socket, headers }: IncomingMessage, trusted: readonly AddressRange[]): string => {
  const peer = peerAddress(socket.remoteAddress);
  return peer === undefined
    ? 'unknown'
    : clientAddress(peer, headers, { trusted, header: 'x-forwarded-for' });
};

/** How a request is forwarded. */
interface Forwarding extends Pick<FrontOptions, 'trusted'> {
  socket: Socket;
  requestId: string;
}

const forward = (
  incoming: IncomingMessage,
  response: ServerResponse,
  { socket, requestId, trusted }: Forwarding,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const outgoing = request({
      createConnection: () => socket,
      method: incoming.method,
      path: incoming.url,
      // A gateway that closes the connection itself would do so while the rest of a refused body is still being sent,
      // and the refusal would be lost. The front closes it instead, after the answer.
      headers: handedOn(incoming.rawHeaders, {
        'x-request-id': requestId,
        'x-forwarded-for': clientOf(incoming, trusted),
        connection: 'keep-alive',
      }),
      setHost: false,
      maxHeaderSize,
    });
    outgoing.setTimeout(silenceMs, () => outgoing.destroy(new Error('the gateway is silent')));
    outgoing.once('error', reject);
    outgoing.once('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, handedOn(answer.rawHeaders));
      answer.pipe(response);
      answer.once('error', reject);
    });
    // A closed client connection closes that to the gateway; each serves one request.
    response.once('close', () => {
      incoming.unpipe(outgoing).resume();
      outgoing.destroy();
      resolve();
    });
    incoming.pipe(outgoing);
  });

/**
 * One request to one gateway. It is never sent twice: a gateway that accepts no connection is skipped, and one that is
 * lost later leads to a coded 503.
 */
const answer = async (
  incoming: IncomingMessage,
  response: ServerResponse,
  { gateways, trusted, onUnanswered }: FrontOptions,
): Promise<void> => {
  const given = incoming.headers['x-request-id'];
  const requestId = isRequestId(given) ? given : v4();
  let why: Unanswered = 'no_gateway';
  try {
    const socket = await gateways.connect();
    if (socket !== undefined) {
      why = 'broken';
      return await forward(incoming, response, { socket, requestId, trusted });
    }
  } catch {
    // The connection to the gateway broke. The gateway's log has the reason; the metric counts it.
  }
  onUnanswered(why);
  if (response.headersSent) response.destroy();
  else refuse(response, why, requestId);
};

const refuseMalformed = (server: Server): void => {
  whenMalformed(server, (error, socket) => {
    const status = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
    const { message, code } = new CodedError('invalid_request', {
      message: 'The request is not well-formed HTTP, its headers are too large, or it is too slow.',
    });
    const requestId = v4();
    const body = JSON.stringify({ error: message, code, request_id: requestId });
    const head = `HTTP/1.1 ${status} Refused\r\nContent-Type: application/json; charset=utf-8\r\nX-Request-Id: ${requestId}\r\nConnection: close`;
    socket.end(`${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  });
};

/** The server in front of the gateways. */
export const createFront = (options: FrontOptions): Server => {
  const server = createServer(
    {
      maxHeaderSize,
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      connectionsCheckingInterval: checkMs,
      keepAliveTimeout: keepAliveMs,
      requireHostHeader: false,
    },
    (incoming, response) => void answer(incoming, response, options),
  );
  server.timeout = silenceMs;
  const { connections, trusted, onUnanswered } = options;
  boundConnections(server, { connections, trusted, onDropped: () => onUnanswered('full') });
  refuseMalformed(server);
  return server;
};
