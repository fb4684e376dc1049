import { setTimeout as pause } from 'node:timers/promises';
import type { SendTemplateBody } from '@stanza/sdk';
import type { Customer } from './customers.ts';
import { ask, isOpen, type Ledger, madeBy, promisesOf, sendBySdk, type Wish, type Work } from './ledger.ts';
import type { SeededRandom } from './random.ts';

/**
 * What keeps the clients of one kind apart: how many there are, how long each rests, and how much each asks for at one
 * moment. Pushes of one moment go to one queue, so that replicas meet; schedules go to one channel at one time, more than
 * it takes at once, so that senders hold messages that wait.
 */
const clients: Record<Work, { count: number; restMs: number; atOnce: number }> = {
  compile: { count: 2, restMs: 150, atOnce: 1 },
  send: { count: 3, restMs: 250, atOnce: 1 },
  keyed: { count: 1, restMs: 1_500, atOnce: 2 },
  bulk: { count: 1, restMs: 1_200, atOnce: 1 },
  push: { count: 3, restMs: 500, atOnce: 3 },
  schedule: { count: 3, restMs: 4_000, atOnce: 6 },
  update: { count: 2, restMs: 700, atOnce: 2 },
  remove: { count: 1, restMs: 2_000, atOnce: 1 },
  cancel: { count: 1, restMs: 1_500, atOnce: 1 },
  edit: { count: 1, restMs: 1_000, atOnce: 1 },
};

const works: readonly Work[] = [
  ...(['compile', 'send', 'keyed', 'bulk', 'push', 'schedule'] as const),
  ...(['update', 'remove', 'cancel', 'edit'] as const),
];

/** Compiles that can be under way at one moment. */
export const compileClients = clients.compile.count;

const retryMs = 400;
const maxTries = 25;
const bulkItems = 5;

/** The share of requests whose client sends an idempotency key, and of keyed ones that are asked for again all the same. */
const keyedShare = 0.6;
const replayShare = 0.25;
/** The share of sends that are made by the SDK. */
const sdkShare = 0.4;

/** Where things that are asked for at one moment go. */
interface Place {
  queue: string;
  channel: string;
  sendAt: Date;
}

/** Messages of a customer that have a key: few, so that clients meet at one. */
const keyedMessages = 12;

/** The latest things of a customer that may be changed. */
const latest = 5;

const deletionAt = (path: string) => ({ method: 'DELETE', path }) as const;

const sendOf = (send: SendTemplateBody) => ({ path: '/v1/templates/send', body: send, send });

/** Clients that ask for everything the service promises something about, and keep books. */
export class Load {
  readonly #customers: readonly Customer[];
  readonly #ledger: Ledger;
  readonly #random: SeededRandom;
  #serial = 0;
  #stopped = false;
  #clients: Promise<void>[] = [];

  constructor(customers: readonly Customer[], ledger: Ledger, random: SeededRandom) {
    this.#customers = customers;
    this.#ledger = ledger;
    this.#random = random;
  }

  /** Lets all clients begin. */
  start(): void {
    for (const work of works) {
      for (let client = 0; client < clients[work].count; client += 1) {
        this.#clients.push(this.#run(work, client));
      }
    }
  }

  /** Ends when every client has been told what became of its last request, or has given up. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#clients);
  }

  async #run(work: Work, client: number): Promise<void> {
    for (let turn = client; !this.#stopped; turn += 1) {
      const customer = this.#customers[turn % this.#customers.length];
      if (!customer) return;
      const place = this.#place(customer);
      const wishes = Array.from({ length: clients[work].atOnce }, () =>
        this.#wish(work, customer, place),
      ).filter((it) => it !== undefined);
      this.#ledger.wishes.push(...wishes);
      await Promise.all(wishes.map((wish) => this.#pursue(wish, customer)));
      await pause(clients[work].restMs);
    }
  }

  /** Asks until it is clear what happened: with a key, or for events with ids. Without one it is asked once. */
  async #pursue(wish: Wish, customer: Customer): Promise<void> {
    const { send } = wish;
    if (send !== undefined && this.#random.next() < sdkShare)
      return sendBySdk(this.#random.pick(customer.clients), wish, send);
    const mayRepeat = wish.key !== undefined || wish.work === 'push';
    for (let tries = 1; ; tries += 1) {
      const heard = await ask(this.#random.pick(customer.apis), wish, this.#ledger);
      if (!isOpen(heard) || !mayRepeat || tries === maxTries) break;
      await pause(retryMs);
    }
    const isKept = mayRepeat && promisesOf(wish).length > 0;
    if (isKept && this.#random.next() < replayShare) {
      await ask(this.#random.pick(customer.apis), wish, this.#ledger);
    }
  }

  #marker(kind: string): string {
    this.#serial += 1;
    return `${kind}_${this.#serial}_`;
  }

  #channel(): string {
    return `C${this.#random.whole(1_000, 1_799)}`;
  }

  #place({ queues }: Customer): Place {
    return {
      queue: this.#random.pick(queues),
      channel: this.#channel(),
      sendAt: new Date(Date.now() + this.#random.whole(1_000, 12_000)),
    };
  }

  /** Undefined where there is nothing yet that could be changed. */
  #wish(work: Work, customer: Customer, place: Place): Wish | undefined {
    const marker = this.#marker(work);
    const content = this.#content(work, customer, marker, place);
    if (content === undefined) return undefined;
    const takesKey = work !== 'remove' && work !== 'cancel' && work !== 'edit';
    const isKeyed = work === 'bulk' || (takesKey && this.#random.next() < keyedShare);
    return {
      work,
      organization: customer.id,
      markers: [marker],
      heard: [],
      ...(isKeyed ? { key: `key-${marker}` } : {}),
      ...content,
    };
  }

  #content(
    work: Work,
    customer: Customer,
    marker: string,
    place: Place,
  ): (Pick<Wish, 'path'> & Partial<Wish>) | undefined {
    const message = { template_id: customer.messageTemplate, data: { marker } };
    switch (work) {
      case 'compile':
        return { path: '/v1/templates/compile', body: message };
      case 'send':
        return sendOf({ ...message, channel_id: place.channel });
      case 'keyed': {
        const number = this.#random.whole(1, keyedMessages);
        const on_existing = this.#random.pick(['update', 'update', 'reply'] as const);
        const named = { message_key: `deploy-${number}`, channel_id: `C${1_800 + number}`, on_existing };
        return { path: '/v1/templates/send', body: { ...message, ...named } };
      }
      case 'bulk': {
        // Channels in a row, since each may appear once for a marker.
        const first = this.#random.whole(1_000, 1_790);
        const destinations = Array.from({ length: bulkItems }, (_, at) => ({ channel_id: `C${first + at}` }));
        return { path: '/v1/templates/send-bulk', body: { ...message, destinations } };
      }
      case 'schedule': {
        const send_at = place.sendAt.toISOString();
        const body = { ...message, channel_id: place.channel, send_at, catch_up: true };
        return { path: '/v1/scheduled-messages', body };
      }
      case 'push': {
        const markers = Array.from({ length: this.#random.whole(1, 6) }, () => this.#marker('event'));
        const path = `/v1/queues/${place.queue}/events`;
        return { path, body: { events: markers.map((id) => ({ id })) }, markers };
      }
      case 'edit':
        return { method: 'PATCH', path: `/v1/queues/${place.queue}`, body: { name: marker } };
      case 'cancel':
        return this.#ofLatest('schedule', customer, (id) => deletionAt(`/v1/scheduled-messages/${id}`));
      case 'remove':
        return this.#ofLatest('send', customer, (id) => deletionAt(`/v1/messages/${id}`));
      case 'update':
        return this.#ofLatest('send', customer, (id) => ({
          path: `/v1/messages/${id}/update`,
          body: { data: { marker } },
        }));
    }
  }

  /** A change of something that a customer was told of: clients meet at it. */
  #ofLatest<T>(work: 'send' | 'schedule', { id }: Customer, change: (id: string) => T): T | undefined {
    const kept = this.#ledger.kept(work).filter((it) => it.organization === id);
    const ids = kept.slice(-latest).map(madeBy);
    const [first, ...others] = ids.filter((it) => it !== undefined);
    return first === undefined ? undefined : change(this.#random.pick([first, ...others]));
  }
}
