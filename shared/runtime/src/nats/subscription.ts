import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import type { Logger } from '../observability/log.ts';

/** How a subject is subscribed. */
export interface SubscribeOptions {
  /** Each message reaches one member of the queue. */
  queue?: string;
  /** The process is healthy without it. */
  isOptional?: boolean;
}

/** A subscription of a process. */
export interface BrokerSubscription {
  /** Ends it once what was sent to it has been handled. */
  drain(): Promise<void>;
  isClosed(): boolean;
}

/** What is subscribed, and how. */
export interface SubscriptionFacts extends SubscribeOptions {
  subject: string;
  receive: (message: Msg) => void;
  log: Logger;
}

/** A subject that a process subscribes, at its connection and for a while at the one before. */
export class ProcessSubscription implements BrokerSubscription {
  readonly #facts: SubscriptionFacts;
  readonly #onClosed: (nats: NatsConnection) => void;
  readonly #open = new Map<NatsConnection, Subscription>();

  /** `onClosed` is called where the server or the client has ended a subscription. */
  constructor(facts: SubscriptionFacts, onClosed: (nats: NatsConnection) => void) {
    this.#facts = facts;
    this.#onClosed = onClosed;
  }

  /** Subscribes at a connection, unless it is subscribed there. */
  open(nats: NatsConnection): void {
    if (this.#open.has(nats)) return;
    const { subject, queue, isOptional, receive, log } = this.#facts;
    const subscription = nats.subscribe(subject, {
      ...(queue !== undefined && { queue }),
      callback: (err, message) => {
        if (!err) receive(message);
        else if (isOptional) log.warn({ err, subject }, 'an optional subscription failed');
        else log.error({ err, subject }, 'a subscription failed');
      },
    });
    this.#open.set(nats, subscription);
    void subscription.closed.then(() => {
      const isKnown = this.#open.delete(nats);
      if (isKnown && !subscription.isDraining()) this.#onClosed(nats);
    });
  }

  /** Leaves the subscription of a connection to its end, which tells nothing. */
  forget(nats: NatsConnection): void {
    this.#open.delete(nats);
  }

  /** Ends the subscription of one connection. */
  async leave(nats: NatsConnection): Promise<void> {
    const subscription = this.#open.get(nats);
    if (subscription && !subscription.isClosed()) await subscription.drain();
  }

  async drain(): Promise<void> {
    await Promise.allSettled([...this.#open.keys()].map((nats) => this.leave(nats)));
  }

  isClosed(): boolean {
    return this.#open.size === 0;
  }
}
