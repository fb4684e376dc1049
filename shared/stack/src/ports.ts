import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { codeOf } from './failure.ts';

/** Every listener of a stack is reachable from this machine alone. */
export const loopback = '127.0.0.1';

const listen = async (port: number): Promise<Server> => {
  const server = createServer().listen(port, loopback);
  await once(server, 'listening');
  return server;
};

const portOf = (server: Server): number => {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('A listening server has no port.');
  return address.port;
};

const close = async (server: Server): Promise<void> => {
  server.close();
  await once(server, 'close');
};

/** So many ports that nobody listens on, all different. */
export const freePorts = async (count: number): Promise<number[]> => {
  // All are held until the last one is known, else the system would hand out the same one twice.
  const servers = await Promise.all(Array.from({ length: count }, () => listen(0)));
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
