import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { portOf } from '@stanza/local/ports';
import { startMailServer } from '../kit/mail-server.ts';

/** The mail server of the shared stack, which runs in the process of the test runner. */
export interface Mailbox {
  /** What the organization service is told of it. */
  smtpUrl: string;
  /** Where tests look: `GET /?to=<address>` answers the mails to it, `POST /refused` with an address refuses mails to it. */
  url: string;
  close(): Promise<void>;
}

/** Starts it. */
export const startMailbox = async (): Promise<Mailbox> => {
  const mail = await startMailServer();
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://mailbox');
    if (request.method === 'POST' && pathname === '/refused') mail.refuse(await text(request));
    const to = searchParams.get('to') ?? '';
    const found = mail.mails.filter((it) => it.to.includes(to));
    response.setHeader('content-type', 'application/json').end(JSON.stringify(found));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    smtpUrl: mail.url,
    url: `http://127.0.0.1:${portOf(server)}`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await mail.close();
    },
  };
};
