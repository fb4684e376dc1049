import { createDestination, createQueue, getBatch, sendTemplate } from '@stanza/contracts';
import { z } from 'zod';
import type { Api, ApiAnswer } from './api.ts';
import { liveTemplate } from './templates.ts';
import { waitFor } from './wait.ts';

const digestBlocks = [{ type: 'header', text: { type: 'plain_text', text: '{{event_count}} deploys' } }];
const pushed = z.object({ batch_id: z.string() });

/** What happens in a system that someone watches, each with the headers that its watcher gives it. */
export class WatchedStory {
  readonly #api: Api;
  readonly #templateId: string;

  private constructor(api: Api, templateId: string) {
    this.#api = api;
    this.#templateId = templateId;
  }

  static async begin(api: Api): Promise<WatchedStory> {
    return new WatchedStory(api, (await liveTemplate(api)).id);
  }

  get #compiled() {
    return { template_id: this.#templateId, data: { service: 'a', version: 'b' } };
  }

  compile(headers: Record<string, string> = {}): Promise<ApiAnswer> {
    return this.#api.post('/v1/templates/compile', this.#compiled, { headers });
  }

  /** Sends to a channel; to one that takes nothing, the platform refuses it. */
  send(channel_id: string, headers: Record<string, string> = {}): Promise<ApiAnswer> {
    return this.#api.post('/v1/templates/send', { ...this.#compiled, channel_id }, { headers });
  }

  /** Sends a message with a button that changes the message, and answers where it is in its channel. */
  async sendButton(channel_id: string): Promise<string> {
    const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: 'Done.' } }];
    const interaction = [{ type: 'update_message', strategy: 'append', blocks }];
    const text = { type: 'plain_text', text: 'Done' };
    const button = { type: 'button', action_id: 'done', text, interaction };
    const actions = [{ type: 'actions', block_id: 'buttons', elements: [button] }];
    const { id: template_id } = await liveTemplate(this.#api, actions);
    return (await this.#api.ok(sendTemplate, { body: { template_id, data: {}, channel_id } })).message_ts;
  }

  /** Pushes two events, whose window ends by itself, and answers how the batch ended. */
  async digest(channel_id: string, headers: Record<string, string> = {}): Promise<string> {
    const { id: template_id } = await liveTemplate(this.#api, digestBlocks);
    return this.#batch({ template_id, channel_id }, headers);
  }

  /** The same, for a destination at an address. */
  async deliver(url: string, headers: Record<string, string> = {}): Promise<string> {
    const body = { name: 'Tickets', url, auth_type: 'none', retry_enabled: false };
    const { id: destination_id } = await this.#api.ok(createDestination, { body });
    return this.#batch({ destination_id }, headers);
  }

  async #batch(target: object, headers: Record<string, string>): Promise<string> {
    const body = { name: 'Deploys', mode: 'rolling_window', window_seconds: 5, ...target };
    const { id } = await this.#api.ok(createQueue, { body });
    const events = [{ service: 'api' }, { service: 'web' }];
    const answer = await this.#api.post(`/v1/queues/${id}/events`, { events }, { headers });
    const { batch_id } = pushed.parse(answer.body);
    const ended = await waitFor(
      'the outcome of the batch',
      async () => {
        const batch = await this.#api.ok(getBatch, { params: { id, batch_id } });
        return batch.ended_at !== null && batch;
      },
      60_000,
    );
    return ended.status;
  }
}
