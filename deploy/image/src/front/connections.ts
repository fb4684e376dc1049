import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { type AddressRange, isInRanges, peerAddress } from '@stanza/contracts';

/** The limits of {@link boundConnections}. */
export interface ConnectionLimits {
  /** Connections of all clients. */
  connections: number;
  /** Proxies, whose connections are of many clients. */
  trusted: readonly AddressRange[];
  /** Called for a connection over a limit. */
  onDropped: () => void;
}

/** One address may hold this fraction of all connections: one in the number. */
const addressPart = 8;
/** Fewer would be too few for a browser, however few the front has. */
const leastOfAddress = 16;

/** The connections of one client, or of all. */
class Line {
  count = 0;
  /** Those without a request under way, the one that has waited longest first. */
  readonly waiting = new Set<Socket>();
}

/**
 * Bounds the connections of a server, of all clients and of each address. Beyond a bound the connection is dropped that has
 * gone longest without a whole request, or the new one where all have a request under way.
 */
export const boundConnections = (
  server: Server,
  { connections, trusted, onDropped }: ConnectionLimits,
): void => {
  const ofAddress = Math.max(leastOfAddress, Math.ceil(connections / addressPart));
  const all = new Line();
  const clients = new Map<string, Line>();
  /** The lines in which an open connection stands. */
  const linesOf = new Map<Socket, readonly Line[]>();

  const clientOf = (address: string | undefined): Line => {
    if (address === undefined || isInRanges(address, trusted)) return new Line();
    const client = clients.get(address) ?? new Line();
    clients.set(address, client);
    return client;
  };
  const wait = (socket: Socket): void => {
    for (const { waiting } of linesOf.get(socket) ?? []) waiting.add(socket);
  };
  const work = (socket: Socket): void => {
    for (const { waiting } of linesOf.get(socket) ?? []) waiting.delete(socket);
  };
  const leave = (socket: Socket, address: string | undefined): void => {
    work(socket);
    for (const line of linesOf.get(socket) ?? []) line.count -= 1;
    linesOf.delete(socket);
    if (address !== undefined && clients.get(address)?.count === 0) clients.delete(address);
  };

  server.on('connection', (socket: Socket) => {
    const address = peerAddress(socket.remoteAddress);
    const client = clientOf(address);
    const full = client.count >= ofAddress ? client : all;
    if (full === client || all.count >= connections) {
      onDropped();
      const [slowest] = full.waiting;
      if (!slowest) return void socket.destroy();
      slowest.destroy();
      leave(slowest, peerAddress(slowest.remoteAddress));
    }
    // The dropped one may have been the last of its address.
    const lines = [all, clientOf(address)];
    for (const line of lines) line.count += 1;
    linesOf.set(socket, lines);
    wait(socket);
    socket.once('close', () => leave(socket, address));
  });
  server.on('request', ({ socket }, response) => {
    work(socket);
    response.once('close', () => wait(socket));
  });
};
