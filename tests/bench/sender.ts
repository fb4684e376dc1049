import { Pool } from 'undici';
import { z } from 'zod';
import type { World } from '../kit/stack.ts';
import { liveTemplate } from '../kit/templates.ts';
import { blocks, data } from './ordinary-message.ts';

/** An organization with a workspace of its own and a live template, ready to send. */
export interface Sender {
  organizationId: string;
  key: string;
  templateId: string;
  /** The token of its workspace. */
  token: string;
}

/** Makes a sender. */
export const newSender = async (world: World): Promise<Sender> => {
  const organization = await world.newOrganization({ credits: 100_000_000, tier: 'enterprise' });
  const { key } = await organization.key();
  const { id } = await liveTemplate(world.api.with(key), blocks);
  return { organizationId: organization.id, key, templateId: id, token: `xoxb-sandbox-${organization.id}` };
};

/** One of the channels that the bot is in; each takes a message a second. */
export const channelOf = (number: number): string => `C${1_000 + (number % 1_000)}`;

const sent = z.object({ message_id: z.string() });

/** What senders ask, over kept connections, as programs do. */
export class SenderClient {
  readonly #pool: Pool;
  readonly #sendPath: string;

  constructor(baseUrl: string, connections: number, sendPath = '/v1/templates/send') {
    this.#pool = new Pool(baseUrl, { connections });
    this.#sendPath = sendPath;
  }

  /** Sends the ordinary message to a channel, at most once with an idempotency key. @returns its id */
  async send({ key, templateId }: Sender, channel_id: string, once?: string): Promise<string> {
    const body = { template_id: templateId, channel_id, data };
    const answer = await this.#ask(this.#sendPath, key, body, once);
    return sent.parse(JSON.parse(answer)).message_id;
  }

  /** Updates a message; the number makes its content another one. */
  async update({ key }: Sender, id: string, number: number): Promise<void> {
    await this.#ask(`/v1/messages/${id}/update`, key, { data: { ...data, count: number } });
  }

  /** Compiles the ordinary message. */
  async compile({ key, templateId }: Sender): Promise<void> {
    await this.#ask('/v1/templates/compile', key, { template_id: templateId, data });
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  async #ask(path: string, key: string, body: object, once?: string): Promise<string> {
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      ...(once !== undefined && { 'idempotency-key': once }),
    };
    const answer = await this.#pool.request({ method: 'POST', path, headers, body: JSON.stringify(body) });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`${path} answered ${answer.statusCode}: ${text}`);
    return text;
  }
}
