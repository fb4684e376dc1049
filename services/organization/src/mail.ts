import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '@stanza/runtime';
import { z } from 'zod';
import type { OrganizationSettings } from './config.ts';

/** A mail to one person, as plain text. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
}

/** Sends mail; sends nothing without a mail server. */
export interface Mailer {
  /** Whether the mail server accepted the mail. Never rejects: the log has the error. */
  send(mail: Mail): Promise<boolean>;
  close(): void;
}

/** Timeouts of the mail server, milliseconds. */
export interface MailPatience {
  /** For each step of the conversation. */
  stepMs: number;
  /** For the whole conversation. */
  totalMs: number;
}

/** The caller of invite-member waits for the mail server. */
const defaultPatience: MailPatience = { stepMs: 3_000, totalMs: 8_000 };

/** Stands in where no mail server is configured. */
export const noMailer: Mailer = { send: async () => false, close: () => undefined };

const failureSchema = z.object({
  code: z.string().default('unknown').catch('unknown'),
  responseCode: z.int().optional().catch(undefined),
});

/** The loggable part of a failure: the texts of mail servers repeat addresses and more. */
const failureOf = (error: unknown) => {
  const { data } = failureSchema.safeParse(error);
  return { failure: data?.code ?? 'unknown', response_code: data?.responseCode };
};

/** Makes the mailer from the settings; without `STANZA_SMTP_URL` it sends nothing, and the library is not loaded. */
export const createMailer = async (
  {
    STANZA_SMTP_URL: url,
    STANZA_SMTP_FROM: from,
  }: Pick<OrganizationSettings, 'STANZA_SMTP_URL' | 'STANZA_SMTP_FROM'>,
  log: Logger,
  { stepMs, totalMs }: MailPatience = defaultPatience,
): Promise<Mailer> => {
  if (url === undefined) return noMailer;
  const { createTransport } = await import('nodemailer');
  const timeouts = { connectionTimeout: stepMs, greetingTimeout: stepMs, socketTimeout: stepMs };
  const transport = createTransport({ url, ...timeouts });
  const give = async ({ to, ...mail }: Mail): Promise<boolean> => {
    // As an object, so that no character of the address is parsed as a separator.
    const { accepted } = await transport.sendMail({ from, to: { name: '', address: to }, ...mail });
    return accepted.length > 0;
  };
  return {
    send: async (mail) => {
      const stop = new AbortController();
      const late = pause(totalMs, false, { signal: stop.signal, ref: false });
      try {
        const isSent = await Promise.race([give(mail), late]);
        if (!isSent) log.warn({ failure: 'ETIMEDOUT' }, 'the mail server timed out');
        return isSent;
      } catch (error) {
        const { failure, response_code } = failureOf(error);
        log.warn({ failure, response_code }, 'the mail server did not accept a mail');
        return false;
      } finally {
        stop.abort();
      }
    },
    close: () => transport.close(),
  };
};
