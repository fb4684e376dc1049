import { LogLevel, WebClient } from '@slack/web-api';
import type { Post } from './bare-client.ts';

const inFlight = 16;

/** Posts messages as most programs do: with the platform's own library, which queues and asks again by itself. */
export class LibraryClient {
  readonly #url: string;
  readonly #clients = new Map<string, WebClient>();

  constructor(sandboxUrl: string) {
    this.#url = `${sandboxUrl}/api/`;
  }

  /**
   * Posts to each channel.
   * @returns the milliseconds that it took
   */
  async send(post: Post, token: string, channels: readonly string[]): Promise<number> {
    const client = this.#clientOf(token);
    const started = performance.now();
    // Blocks and metadata as they are, which the types of the library would have spelt out.
    const posts = channels.map((channel) => client.apiCall('chat.postMessage', { ...post, channel }));
    await Promise.all(posts);
    return performance.now() - started;
  }

  #clientOf(token: string): WebClient {
    const known = this.#clients.get(token);
    if (known) return known;
    const client = new WebClient(token, {
      slackApiUrl: this.#url,
      maxRequestConcurrency: inFlight,
      logLevel: LogLevel.ERROR,
    });
    this.#clients.set(token, client);
    return client;
  }
}
