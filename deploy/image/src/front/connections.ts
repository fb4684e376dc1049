import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { type AddressRange, addressShares, isInRanges, peerAddress } from '@stanza/contracts';

/** The limits of {@link boundConnections}. */
export interface ConnectionLimits {
  /** Connections of all clients. */
  connections: number;
  /** Proxies, whose connections are of many clients. */
  trusted: readonly AddressRange[];
  /** Called for a connection over a limit. */
  onDropped: () => void;
}

/** One client may hold this fraction of all connections: one in the number. */
const clientPart = 8;
/** Fewer would be too few for a browser, however few the front has. */
const leastOfClient = 16;

/** The connections of one client, or of all. */
class Line {
  count = 0;
  /** Those without a request under way, the one that has waited longest first. */
  readonly waiting = new Set<Socket>();
}

/**
 * Bounds the connections of a server, of all clients and of each. Beyond a bound the connection is dropped that has
 * gone longest without a whole request, or the new one where all have a request under way.
 */
export const boundConnections = (
  server: Server,
  { connections, trusted, onDropped }: ConnectionLimits,
): void => {
  const ofClient = Math.max(leastOfClient, Math.ceil(connections / clientPart));
  const all = new Line();
  const clients = new Map<string, Line>();
  /** The lines in which an open connection stands. */
  const linesOf = new Map<Socket, readonly Line[]>();

  /** Who holds a connection: an IPv4 address or a /64; undefined for a proxy, whose clients are many. */
  const nameOf = ({ remoteAddress }: Socket): string | undefined => {
    const address = peerAddress(remoteAddress);
    return address === undefined || isInRanges(address, trusted) ? undefined : addressShares(address).at(-1);
  };
  const clientOf = (name: string | undefined): Line => {
    if (name === undefined) return new Line();
    const client = clients.get(name) ?? new Line();
    clients.set(name, client);
    return client;
  };
  const wait = (socket: Socket): void => {
    for (const { waiting } of linesOf.get(socket) ?? []) waiting.add(socket);
  };
  const work = (socket: Socket): void => {
    for (const { waiting } of linesOf.get(socket) ?? []) waiting.delete(socket);
  };
  const leave = (socket: Socket, name: string | undefined): void => {
    work(socket);
    for (const line of linesOf.get(socket) ?? []) line.count -= 1;
    linesOf.delete(socket);
    if (name !== undefined && clients.get(name)?.count === 0) clients.delete(name);
  };

  server.on('connection', (socket: Socket) => {
    const name = nameOf(socket);
    const client = clientOf(name);
    const full = client.count >= ofClient ? client : all;
    if (full === client || all.count >= connections) {
      onDropped();
      const [slowest] = full.waiting;
      if (!slowest) return void socket.destroy();
      slowest.destroy();
      leave(slowest, nameOf(slowest));
    }
    // The dropped one may have been the last of its client.
    const lines = [all, clientOf(name)];
    for (const line of lines) line.count += 1;
    linesOf.set(socket, lines);
    wait(socket);
    socket.once('close', () => leave(socket, name));
  });
  server.on('request', ({ socket }, response) => {
    work(socket);
    response.once('close', () => wait(socket));
  });
};
