import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { codeOf } from './failure.ts';

/** Every listener of a stack is reachable from this machine alone. */
export const loopback = '127.0.0.1';

const listen = async (port: number): Promise<Server> => {
  const server = createServer().listen(port, loopback);
  await once(server, 'listening');
  return server;
};

/** The port that a listening server was given. */
export const portOf = (server: Server): number => {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('A listening server has no port.');
  return address.port;
};

const close = async (server: Server): Promise<void> => {
  server.close();
  await once(server, 'close');
};

/** Where the system takes the ports of outgoing connections from; unknown elsewhere than on Linux. */
const outgoingRange = '/proc/sys/net/ipv4/ip_local_port_range';

/** Ports below these belong to well-known programs. */
const lowest = 10_000;
/** A range that is smaller than this is no place to choose from. */
const enough = 5_000;

/** The first port that an outgoing connection may have. */
const firstOutgoing = async (): Promise<number> => {
  try {
    return Number((await readFile(outgoingRange, 'utf8')).split(/\s+/)[0]);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 0;
    throw error;
  }
};

/** Listens on a port that no outgoing connection ever takes, or on any where the system keeps none for listeners. */
const listenAnywhere = async (end: number): Promise<Server> => {
  if (end - lowest < enough) return listen(0);
  for (;;) {
    try {
      return await listen(randomInt(lowest, end));
    } catch (error) {
      if (codeOf(error) !== 'EADDRINUSE') throw error;
    }
  }
};

/**
 * So many ports that nobody listens on, all different. A process that dies finds its port free when it is started
 * again: connections that others open meanwhile have theirs from another range.
 */
export const freePorts = async (count: number): Promise<number[]> => {
  const end = await firstOutgoing();
  // All are held until the last one is known, else the same one could come twice.
  const servers = await Promise.all(Array.from({ length: count }, () => listenAnywhere(end)));
  const ports = servers.map(portOf);
  await Promise.all(servers.map(close));
  return ports;
};

/** Why a port cannot be listened on (`EADDRINUSE`, `EACCES`), or undefined if it can. */
export const portTrouble = async (port: number): Promise<string | undefined> => {
  try {
    await close(await listen(port));
    return undefined;
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    return code;
  }
};
