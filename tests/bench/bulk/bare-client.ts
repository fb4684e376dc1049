import { Pool } from 'undici';
import { z } from 'zod';

const inFlight = 16;

const posted = z.object({ ok: z.literal(true) });
const messages = z.array(
  z.object({ channel: z.string(), text: z.string(), blocks: z.array(z.unknown()), metadata: z.unknown() }),
);

/** What is posted, but for the channel. */
export type Post = Pick<z.output<typeof messages>[number], 'text' | 'blocks' | 'metadata'>;

/** Posts messages and does nothing else: no accounts, no rows, no pace, no second thought. */
export class BareClient {
  readonly #url: string;
  readonly #pool: Pool;

  constructor(sandboxUrl: string) {
    this.#url = sandboxUrl;
    this.#pool = new Pool(sandboxUrl, { connections: inFlight });
  }

  /** The content of a message that was posted to one of the channels. */
  async postLike(channels: readonly string[]): Promise<Post> {
    const response = await fetch(`${this.#url}/control/messages`);
    const found = messages.parse(await response.json()).find((it) => channels.includes(it.channel));
    if (!found) throw new Error('nothing was posted');
    return { text: found.text, blocks: found.blocks, metadata: found.metadata };
  }

  /**
   * Posts to each channel.
   * @returns the milliseconds that it took
   */
  async send(post: Post, token: string, channels: readonly string[]): Promise<number> {
    const waiting = channels.values();
    const started = performance.now();
    const worker = async (): Promise<void> => {
      for (const channel of waiting) await this.#post({ ...post, channel }, token);
    };
    await Promise.all(Array.from({ length: inFlight }, worker));
    return performance.now() - started;
  }

  async #post(message: object, token: string): Promise<void> {
    const { body } = await this.#pool.request({
      method: 'POST',
      path: '/api/chat.postMessage',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(message),
    });
    posted.parse(await body.json());
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}
