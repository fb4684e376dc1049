import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { takeLock } from './directory-lock.ts';
import { codeOf } from './failure.ts';

/** The address of every listener of a stack: reachable only from this machine. */
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

/** The system's range of ports for outgoing connections; known only on Linux. */
const outgoingRange = '/proc/sys/net/ipv4/ip_local_port_range';

/** Ports below these belong to well-known programs, or are refused by `fetch`: 10080 is the highest such port. */
const lowest = 10_081;
/** Smallest usable range. */
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

/** Where the processes of a user say which ports are theirs. */
const claims = join(tmpdir(), `stanza-ports-${userInfo().uid}`);

/**
 * Claims a port for as long as this process lives. A stack listens on its ports seconds later, and not on that of a
 * process that restarts: without a claim another stack that starts in the meantime takes the port.
 * @returns false where it is claimed, by this process or another one that lives
 */
export const claimPort = (port: number): boolean => {
  mkdirSync(claims, { recursive: true });
  return takeLock(join(claims, String(port))) === undefined;
};

/**
 * Listens on a port of its own outside the range of outgoing connections, or on any port where no such range is left.
 */
const listenAnywhere = async (end: number): Promise<Server> => {
  if (end - lowest < enough) return listen(0);
  for (;;) {
    const port = randomInt(lowest, end);
    if (!claimPort(port)) continue;
    try {
      return await listen(port);
    } catch (error) {
      if (codeOf(error) !== 'EADDRINUSE') throw error;
    }
  }
};

/**
 * Free ports, all different, and claimed by this process. A restarted process finds its port free again: other stacks
 * take other ports, and outgoing connections theirs from another range.
 */
export const freePorts = async (count: number): Promise<number[]> => {
  const end = await firstOutgoing();
  // All are held until the last one is known, so that none is returned twice.
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

/** The port of the API unless another one is chosen. */
export const defaultPort = 8787;

/** Whether `fetch` and browsers refuse the address of a free port, as they do those of some other protocols. */
export const isRefusedByFetch = async (port: number): Promise<boolean> => {
  try {
    await fetch(`http://${loopback}:${port}`);
  } catch (error) {
    return error instanceof Error && error.cause instanceof Error && error.cause.message === 'bad port';
  }
  return false;
};

/** Default ports by protocol. */
const usualPorts: Record<string, number> = {
  'postgres:': 5432,
  'postgresql:': 5432,
  'nats:': 4222,
  'tls:': 4222,
};

/** Returns the port of an address, or the default port of its protocol. */
export const portOfAddress = (address: string): number => {
  const { port, protocol } = new URL(address);
  return port === '' ? (usualPorts[protocol] ?? 80) : Number(port);
};
