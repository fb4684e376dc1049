import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';

/** A request as a receiver got it. */
export interface Received {
  at: number;
  method: string | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A destination on this machine, which answers what it is told to. */
export interface Receiver {
  url: string;
  received: Received[];
  /** Statuses of the next answers; after them every one is 200. */
  answers: number[];
  /** What stands in its answers. */
  text: string;
  close: () => Promise<void>;
}

/** Starts a receiver; on one address of this machine unless told of another. */
export const startReceiver = async (host = '127.0.0.1'): Promise<Receiver> => {
  const received: Received[] = [];
  const answers: number[] = [];
  const receiver = { text: 'noted' };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    received.push({
      at: Date.now(),
      method: request.method,
      headers: request.headers,
      body: Buffer.concat(chunks).toString('utf8'),
    });
    response.writeHead(answers.shift() ?? 200).end(receiver.text);
  });
  server.listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return Object.assign(receiver, {
    url: `http://127.0.0.1:${port}/hooks`,
    received,
    answers,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
};

/** The signature that Standard Webhooks prescribe for a request, made by hand. */
export const signatureOf = ({ headers, body }: Received, secret: string): string => {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
};
