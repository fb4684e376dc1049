import { randomUUID } from 'node:crypto';
import { createQueue } from '@stanza/contracts';
import { Pool } from 'undici';
import type { World } from '../../kit/stack.ts';
import { liveTemplate } from '../../kit/templates.ts';
import { blocks, data } from '../ordinary-message.ts';
import { channelOf } from '../sender.ts';

/** The work of which nothing is joined. */
export const alone = 'send, one at a time';

/** Something whose cost is measured. */
export interface Work {
  /** What one of it is. */
  name: string;
  /** How many one request holds. */
  size: number;
  /** Requests to measure. */
  requests: number;
  /** Requests at one time, where not as many as of the others. */
  inFlight?: number;
  /** Makes the request with this number. */
  request: (index: number) => Promise<void>;
}

/** Organizations that take turns, each with a workspace of its own, so that no workspace's pace is what is measured. */
const organizations = 5;
const sizeOfBulk = 100;
const sizeOfPush = 100;
const sizeOfDigest = 10;
const event = { service: 'checkout', level: 'warning', message: 'payment took longer than usual', ms: 1_840 };

interface Sender {
  headers: Record<string, string>;
  templateId: string;
  queueId: string;
  /** Of a queue whose batches are full with one push of {@link Workload.digest}. */
  digestQueueId: string;
}

const newSender = async (world: World): Promise<Sender> => {
  const organization = await world.newOrganization({ credits: 100_000_000, tier: 'enterprise' });
  const { key } = await organization.key();
  const api = world.api.with(key);
  const { id: templateId } = await liveTemplate(api, blocks);
  const policy = {
    mode: 'rolling_window',
    window_seconds: 86_400,
    template_id: templateId,
    channel_id: 'C1000',
  };
  const { id: queueId } = await api.ok(createQueue, { body: { name: 'Costs', ...policy } });
  const digests = { mode: 'fixed_volume', threshold: sizeOfDigest, template_id: templateId };
  const { id: digestQueueId } = await api.ok(createQueue, {
    body: { name: 'Digests', ...digests, channel_id: 'C1000' },
  });
  return {
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    templateId,
    queueId,
    digestQueueId,
  };
};

/** The senders and a connection to the API, for as long as costs are measured. */
export class Workload {
  readonly #pools: readonly Pool[];
  readonly #senders: readonly Sender[];
  #turn = 0;

  private constructor(baseUrls: readonly string[], senders: readonly Sender[]) {
    this.#pools = baseUrls.map((url) => new Pool(url, { connections: 16 }));
    this.#senders = senders;
  }

  /** Makes the senders; the gateways at these addresses are asked in turn. */
  static async open(world: World, baseUrls: readonly string[]): Promise<Workload> {
    const senders: Sender[] = [];
    for (let index = 0; index < organizations; index += 1) senders.push(await newSender(world));
    const workload = new Workload(baseUrls, senders);
    // Replays need something to be repeated.
    for (let at = 0; at < organizations; at += 1) await workload.replay(at);
    return workload;
  }

  /** All that is measured; `scale` shortens it. */
  works(scale: number): Work[] {
    const count = (requests: number): number => Math.max(1, Math.round(requests * scale));
    return [
      { name: 'auth/validate', size: 1, requests: count(3_000), request: (at) => this.validate(at) },
      { name: 'compile', size: 1, requests: count(3_000), request: (at) => this.compile(at) },
      { name: 'compile, replayed', size: 1, requests: count(3_000), request: (at) => this.replay(at) },
      { name: 'send', size: 1, requests: count(1_000), request: (at) => this.send(at) },
      // Nothing is joined: the cost of a send on an otherwise idle stack.
      {
        name: alone,
        size: 1,
        requests: count(300),
        inFlight: 1,
        request: (at) => this.send(at),
      },
      {
        name: 'send-bulk of 100, each message',
        size: sizeOfBulk,
        requests: count(25),
        request: (at) => this.sendBulk(at),
      },
      { name: 'push of 100 events', size: 1, requests: count(1_000), request: (at) => this.push(at) },
    ];
  }

  validate(at: number): Promise<void> {
    return this.#ask('GET', '/v1/auth/validate', this.#sender(at).headers);
  }

  compile(at: number): Promise<void> {
    const { headers, templateId } = this.#sender(at);
    return this.#ask('POST', '/v1/templates/compile', headers, { template_id: templateId, data });
  }

  replay(at: number): Promise<void> {
    const { headers, templateId } = this.#sender(at);
    const keyed = { ...headers, 'idempotency-key': 'the same each time' };
    return this.#ask('POST', '/v1/templates/compile', keyed, { template_id: templateId, data });
  }

  send(at: number): Promise<void> {
    const { headers, templateId } = this.#sender(at);
    const channel_id = channelOf(Math.floor(at / organizations));
    return this.#ask('POST', '/v1/templates/send', headers, { template_id: templateId, channel_id, data });
  }

  sendBulk(at: number): Promise<void> {
    const { headers, templateId } = this.#sender(at);
    const first = Math.floor(at / organizations) * sizeOfBulk;
    const destinations = Array.from({ length: sizeOfBulk }, (_, index) => ({
      channel_id: channelOf(first + index),
    }));
    return this.#ask('POST', '/v1/templates/send-bulk', headers, {
      template_id: templateId,
      data,
      destinations,
    });
  }

  push(at: number): Promise<void> {
    const { headers, queueId } = this.#sender(at);
    const events = Array(sizeOfPush).fill(event);
    return this.#ask('POST', `/v1/queues/${queueId}/events`, headers, { events });
  }

  /** Pushes as many events as close a batch, with a key of its own; the digest is sent afterwards. */
  digest(at: number): Promise<void> {
    const { headers, digestQueueId } = this.#sender(at);
    const keyed = { ...headers, 'idempotency-key': randomUUID() };
    const events = Array(sizeOfDigest).fill(event);
    return this.#ask('POST', `/v1/queues/${digestQueueId}/events`, keyed, { events });
  }

  async close(): Promise<void> {
    await Promise.all(this.#pools.map((it) => it.close()));
  }

  async #ask(
    method: 'GET' | 'POST',
    path: string,
    headers: Record<string, string>,
    body?: unknown,
  ): Promise<void> {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const pool = this.#pools[this.#turn++ % this.#pools.length];
    if (pool === undefined) throw new Error('there is no gateway');
    const answer = await pool.request({ method, path, headers, ...sent });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`${path} answered ${answer.statusCode}: ${text}`);
  }

  #sender(at: number): Sender {
    const sender = this.#senders[at % organizations];
    if (sender === undefined) throw new Error('there is no sender');
    return sender;
  }
}

/** Does work with this many requests in flight. */
export const perform = async ({ requests, request }: Work, inFlight: number): Promise<void> => {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < requests) await request(next++);
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
};
