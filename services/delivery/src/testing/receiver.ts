import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';

export { leaseMs } from '../destinations/jobs/destination-deliveries.ts';

/** A request as a receiver got it. */
export interface Received {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** What a receiver does with a request. */
export type Behaviour = (response: ServerResponse, request: Received) => void;

/** A destination on this machine. */
export interface Receiver {
  url: string;
  received: Received[];
  /** Says what the next requests get, one after the other; the last one is for all that come after it. */
  behave: (...behaviours: Behaviour[]) => void;
  close: () => Promise<void>;
}

/** Answers with a status. */
export const answer =
  (status: number, body = '', headers: Record<string, string> = {}): Behaviour =>
  (response) =>
    void response.writeHead(status, headers).end(body);

/** Takes the request and cuts the connection. */
export const cut: Behaviour = (response) => void response.destroy();

/** Takes the request and says nothing. */
export const keepSilent: Behaviour = () => undefined;

/** Starts a receiver, which answers 200 until told otherwise. */
export const startReceiver = async (): Promise<Receiver> => {
  const received: Received[] = [];
  let script: Behaviour[] = [answer(200, 'thank you')];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const { method = '', url = '', headers } = request;
    const got = { method, path: url, headers, body: Buffer.concat(chunks).toString('utf8') };
    received.push(got);
    const behave = script.length > 1 ? script.shift() : script[0];
    behave?.(response, got);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/hooks?tenant=a`,
    received,
    behave: (...behaviours) => {
      script = behaviours;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
