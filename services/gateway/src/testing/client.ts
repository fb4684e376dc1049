import { request, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

/** The port on which a server listens. */
export const portOf = (server: Server): number => {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server does not listen');
  return address.port;
};

/** Listens on any free port of this machine. */
export const listening = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  return portOf(server);
};

/** Sends bytes, and collects the response until the connection ends. */
export const sendBytes = async (port: number, write: (socket: Socket) => void): Promise<string> => {
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  const ended = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  // An error ends the connection too; only the bytes before it count.
  socket.on('data', (chunk) => chunks.push(chunk)).on('error', () => undefined);
  write(socket);
  await ended;
  return Buffer.concat(chunks).toString();
};

/** The response to a request. */
export interface Met {
  status: number;
  headers: Record<string, unknown>;
  body: string;
}

/** Makes a request with given headers. */
export const ask = (port: number, path: string, headers: Record<string, string> = {}): Promise<Met> =>
  new Promise((resolve, reject) => {
    const asked = request({ port, host: '127.0.0.1', path, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.once('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks).toString(),
        }),
      );
    });
    asked.once('error', reject);
    asked.end();
  });
