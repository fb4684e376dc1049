import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { createLogger } from '@stanza/runtime';
import { startMailServer } from '@stanza/test-kit/database';
import { sharedByTests } from '@stanza/test-kit/shared';
import { createMailer, type MailPatience } from './mail.ts';

describe('the mailer', () => {
  const server = sharedByTests(startMailServer);

  const lines: string[] = [];
  const log = createLogger({
    name: 'organization',
    level: 'trace',
    destination: { write: (line: string) => void lines.push(line) },
  });
  const mailer = (url: string | undefined, patience?: MailPatience) =>
    createMailer({ STANZA_SMTP_URL: url, STANZA_SMTP_FROM: 'Stanza <stanza@example.com>' }, log, patience);
  const mail = { to: 'ada@example.com', subject: 'Grüße', text: 'Länger als eine Zeile: '.repeat(8) };

  it('hands a mail to the server', async () => {
    expect(await (await mailer(server().url)).send(mail)).toBe(true);
    expect(server().mails).toMatchObject([
      {
        from: 'stanza@example.com',
        to: ['ada@example.com'],
        text: expect.stringContaining(mail.text.trim()),
      },
    ]);
  });

  it('treats an address as one, whatever it contains', async () => {
    await (await mailer(server().url)).send({ ...mail, to: 'ada@example.com, eve@example.com' });
    for (const { to } of server().mails) expect(to).not.toContain('eve@example.com');
  });

  it('sends nothing without a server, and returns false', async () => {
    expect(await (await mailer(undefined)).send(mail)).toBe(false);
  });

  it('reports a mail that was not accepted, and logs neither password nor address', async () => {
    lines.length = 0;
    const wrong = server().url.replace('mail-password', 'wrong-password');
    for (const url of [wrong, 'smtp://stanza:mail-password@127.0.0.1:1']) {
      expect(await (await mailer(url)).send(mail)).toBe(false);
    }
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { failure: 'EAUTH', response_code: 535 },
      { failure: 'ESOCKET' },
    ]);
    for (const secret of ['mail-password', 'wrong-password', mail.to]) {
      expect(lines.join('')).not.toContain(secret);
    }
  });

  it('times out on a server that is silent or too slow', async () => {
    lines.length = 0;
    const silent = createServer((socket) => void socket.resume()).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const address = silent.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const url = `smtp://127.0.0.1:${port}`;
    expect(await (await mailer(url, { stepMs: 50, totalMs: 5_000 })).send(mail)).toBe(false);
    expect(await (await mailer(url, { stepMs: 400, totalMs: 50 })).send(mail)).toBe(false);
    expect(lines.map((line) => JSON.parse(line).failure)).toEqual(['ETIMEDOUT', 'ETIMEDOUT']);
    silent.close();
  });
});
