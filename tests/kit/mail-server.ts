import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { portOf } from '@stanza/local/ports';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';

/** A mail that the server took. */
export interface ReceivedMail {
  from: string;
  to: string[];
  subject: string;
  /** Decoded. */
  text: string;
}

/** A mail server of a test. */
export interface MailServer {
  /** What a service is told of it, with the user and the password that it asks for. */
  url: string;
  port: number;
  /** What it took, oldest first. */
  mails: readonly ReceivedMail[];
  /** Refuses every mail to an address from now on. */
  refuse(address: string): void;
  close(): Promise<void>;
}

const user = 'stanza';
const password = 'mail-password';

/** Undoes quoted-printable; mails of one plain text have no other form. */
const decoded = (body: string): string =>
  Buffer.from(
    body
      .replaceAll('=\r\n', '')
      .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8');

const readMail = ({ envelope }: SMTPServerSession, raw: string): ReceivedMail => {
  const end = raw.indexOf('\r\n\r\n');
  const header = raw.slice(0, end).replaceAll(/\r\n[ \t]/g, ' ');
  const body = raw.slice(end + 4);
  const isQuoted = /^content-transfer-encoding: quoted-printable/im.test(header);
  return {
    from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
    to: envelope.rcptTo.map((recipient) => recipient.address),
    subject: /^subject: (.*)$/im.exec(header)?.[1] ?? '',
    text: (isQuoted ? decoded(body) : body).replaceAll('\r\n', '\n'),
  };
};

/** Starts a mail server that keeps what it is given. */
export const startMailServer = async (): Promise<MailServer> => {
  const mails: ReceivedMail[] = [];
  const refused = new Set<string>();
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: (auth, _session, callback) => {
      const isKnown = auth.username === user && auth.password === password;
      callback(isKnown ? null : new Error('unknown user'), isKnown ? { user } : undefined);
    },
    onData: (stream, session, callback) => {
      text(stream).then(
        (raw) => {
          const mail = readMail(session, raw);
          if (mail.to.some((address) => refused.has(address)))
            return callback(new Error('the mailbox is full'));
          mails.push(mail);
          return callback();
        },
        (error: Error) => callback(error),
      );
    },
  });
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const port = portOf(listening);
  return {
    url: `smtp://${user}:${password}@127.0.0.1:${port}`,
    port,
    mails,
    refuse: (address) => void refused.add(address),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
};
