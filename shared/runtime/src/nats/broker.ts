import { setTimeout as pause } from 'node:timers/promises';
import {
  type ConnectionOptions,
  connect,
  type Msg,
  type NatsConnection,
  type Status,
  type Subscription,
} from '@nats-io/transport-node';
import { inboxPrefixOf, type NatsUser } from '@stanza/contracts';
import type { Logger } from '../observability/log.ts';

/** Wait before each attempt to reconnect, to which as much jitter as `reconnectJitterMs` is added. */
const reconnectDelayMs = 250;
const reconnectJitterMs = 100;
/** How long one attempt may take. */
const dialTimeoutMs = 5_000;
/** A broker that is silent for three of these counts as lost. */
const pingIntervalMs = 10_000;
/**
 * Every failed redial leaves some 11 KB behind in the client (nats.js#433), so a process does not redial for ever:
 * it ends after this time, and its supervisor starts a clean one.
 */
export const lostAfterMs = 60_000;

/** How to reach NATS, and as whom. */
export interface BrokerOptions {
  /** One address, or several separated by commas; without user and password. */
  url: string;
  user?: string | undefined;
  password?: string | undefined;
  /** Also names the inboxes that this user alone may subscribe to. */
  caller: NatsUser;
  log: Logger;
  /** Milliseconds to go on trying to connect for the first time; 0 tries once. */
  patienceMs?: number;
  /** Milliseconds without connection after which `onLost` is called; {@link lostAfterMs} unless given. */
  lostAfterMs?: number;
  /** The connection is lost for good or away for too long, or a subscription was closed: a new process is better. */
  onLost?: (reason: string) => void;
}

/** The connection of a process to NATS. Nothing is published while it is away, because it would go out later, stale. */
export interface Broker {
  readonly nats: NatsConnection;
  readonly caller: NatsUser;
  /** False from the moment the connection breaks until it is there again. */
  readonly connected: boolean;
  /** Bytes that one message may have, headers included, as negotiated with the server. */
  readonly maxPayload: number;
  /** Why nothing arrives any more on some subject; undefined while every subscription is alive. */
  readonly fault: string | undefined;
  /**
   * Subscribes for as long as the process lives; with a queue, each message reaches one member of it. A subscription
   * that ends otherwise than by its own `drain` is a fault of the process: it looks well and hears nothing.
   */
  subscribe(subject: string, hear: (message: Msg) => void, options?: { queue: string }): Subscription;
  onDisconnect(listener: () => void): void;
  onReconnect(listener: () => void): void;
  /** Sends what is outstanding and closes; safe to call twice and while disconnected. */
  close(): Promise<void>;
}

const jittered = (): number => reconnectDelayMs + Math.random() * reconnectJitterMs;

/**
 * When the client dials: at once for the first time, and after a delay for every other. The client measures its own wait
 * between two attempts by the time of day, which keeps it away for a minute when a clock is set back by one; without
 * such a wait it asks for a server, and the delay of that answer is a timer's.
 */
export const dialing = (): Required<
  Pick<ConnectionOptions, 'reconnectDelayHandler' | 'reconnectToServer'>
> => {
  let isFirst = true;
  return {
    reconnectDelayHandler: () => Number.NEGATIVE_INFINITY,
    reconnectToServer: ([server]) => {
      const delay = isFirst ? 0 : jittered();
      isFirst = false;
      return server === undefined ? null : { server, delay };
    },
  };
};

const dial = (options: BrokerOptions): Promise<NatsConnection> =>
  connect({
    servers: options.url.split(',').map((it) => it.trim()),
    ...(options.user !== undefined && { user: options.user, pass: options.password ?? '' }),
    name: options.caller,
    inboxPrefix: inboxPrefixOf(options.caller),
    timeout: dialTimeoutMs,
    pingInterval: pingIntervalMs,
    maxReconnectAttempts: -1,
    // A broker that restarts may refuse a valid user for a moment.
    ignoreAuthErrorAbort: true,
    ...dialing(),
    noAsyncTraces: true,
  });

const dialPatiently = async (options: BrokerOptions): Promise<NatsConnection> => {
  const giveUpAt = performance.now() + (options.patienceMs ?? 0);
  for (;;) {
    try {
      return await dial(options);
    } catch (err) {
      if (performance.now() >= giveUpAt) throw err;
      options.log.warn({ err }, 'NATS does not answer yet');
      await pause(jittered());
    }
  }
};

class NatsBroker implements Broker {
  readonly nats: NatsConnection;
  readonly caller: NatsUser;
  readonly #options: BrokerOptions;
  readonly #onDisconnect: (() => void)[] = [];
  readonly #onReconnect: (() => void)[] = [];
  #connected = true;
  #closing: Promise<void> | undefined;
  #lostTimer: NodeJS.Timeout | undefined;
  #maxPayload: number;
  #fault: string | undefined;

  constructor(nats: NatsConnection, options: BrokerOptions) {
    this.nats = nats;
    this.caller = options.caller;
    this.#options = options;
    this.#maxPayload = nats.info?.max_payload ?? 1024 * 1024;
    void this.#watch();
  }

  get connected(): boolean {
    return this.#connected;
  }

  get maxPayload(): number {
    return this.#maxPayload;
  }

  get fault(): string | undefined {
    return this.#fault;
  }

  subscribe(subject: string, hear: (message: Msg) => void, options?: { queue: string }): Subscription {
    const { log } = this.#options;
    const subscription = this.nats.subscribe(subject, {
      ...options,
      callback: (err, message) => {
        if (err) log.error({ err, subject }, 'a subscription failed');
        else hear(message);
      },
    });
    void subscription.closed.then(() => {
      if (subscription.isDraining() || this.#closing !== undefined) return;
      this.#fault = `the subscription of ${subject} was closed`;
      this.#options.onLost?.(this.#fault);
    });
    return subscription;
  }

  onDisconnect(listener: () => void): void {
    this.#onDisconnect.push(listener);
  }

  onReconnect(listener: () => void): void {
    this.#onReconnect.push(listener);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    clearTimeout(this.#lostTimer);
    // Draining a broken connection would wait for a server that may never come back.
    if (this.#connected && !this.nats.isClosed()) await this.nats.drain();
    else await this.nats.close();
  }

  async #watch(): Promise<void> {
    for await (const status of this.nats.status()) this.#notice(status);
    this.#connected = false;
    if (this.#closing === undefined) this.#options.onLost?.('the NATS connection was closed');
  }

  #notice(status: Status): void {
    const { log } = this.#options;
    if (status.type === 'disconnect') this.#disconnected();
    else if (status.type === 'reconnect') this.#reconnected();
    else if (status.type === 'error') log.error({ err: status.error }, 'NATS reports an error');
    else if (status.type === 'staleConnection' || status.type === 'ldm') {
      log.warn({ reason: status.type }, 'NATS connection is about to break');
    }
  }

  #disconnected(): void {
    if (!this.#connected) return;
    this.#connected = false;
    this.#options.log.warn('disconnected from NATS');
    const limit = this.#options.lostAfterMs ?? lostAfterMs;
    this.#lostTimer = setTimeout(() => {
      this.#options.onLost?.(`no NATS connection for ${Math.round(limit / 1000)} s`);
    }, limit);
    this.#tell(this.#onDisconnect);
  }

  #reconnected(): void {
    clearTimeout(this.#lostTimer);
    this.#connected = true;
    this.#maxPayload = this.nats.info?.max_payload ?? this.#maxPayload;
    this.#options.log.info('connected to NATS again');
    this.#tell(this.#onReconnect);
  }

  #tell(listeners: readonly (() => void)[]): void {
    for (const listener of listeners) {
      try {
        listener();
      } catch (err) {
        this.#options.log.error({ err }, 'a listener of the NATS connection failed');
      }
    }
  }
}

/**
 * Connects to NATS. Afterwards the connection heals itself: it redials every 250 ms with jitter.
 * @throws what the client threw last when `patienceMs` has passed without a connection
 */
export const connectBroker = async (options: BrokerOptions): Promise<Broker> =>
  new NatsBroker(await dialPatiently(options), options);
