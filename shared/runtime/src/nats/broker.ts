import { setTimeout as pause } from 'node:timers/promises';
import {
  type ConnectionOptions,
  connect,
  type Msg,
  type NatsConnection,
  PermissionViolationError,
  type Status,
  type Subscription,
} from '@nats-io/transport-node';
import { type CallerName, inboxPrefixOf } from '@stanza/contracts';
import type { Logger } from '../observability/log.ts';

/** Delay before each attempt to reconnect, plus up to `reconnectJitterMs`; milliseconds. */
const reconnectDelayMs = 250;
const reconnectJitterMs = 100;
/** Timeout of one attempt, milliseconds. */
const dialTimeoutMs = 5_000;
/** Interval of pings. A server that misses more than two counts as lost after six seconds: it hangs, or its machine does. */
const pingIntervalMs = 2_000;
const maxPingOut = 2;
/**
 * Every failed redial leaves some 11 KB behind in the client (nats.js#433), so a process does not redial for ever: it
 * ends after this time and is restarted by its supervisor.
 */
export const lostAfterMs = 60_000;

/** Address and user of a NATS connection. */
export interface BrokerOptions {
  /** One address, or several separated by commas; without user and password. */
  url: string;
  user?: string | undefined;
  password?: string | undefined;
  /** Also names the inboxes that only this user may subscribe to. */
  caller: CallerName;
  log: Logger;
  /** Milliseconds for which the first connection is retried; 0 tries once. */
  patienceMs?: number;
  /** Milliseconds without connection after which `onLost` is called; {@link lostAfterMs} unless given. */
  lostAfterMs?: number;
  /**
   * Called when the process must be restarted: the connection is lost for good or for too long, or a subscription was
   * closed.
   */
  onLost?: (reason: string) => void;
}

/**
 * The connection of a process to NATS. Nothing is published while it is down, because it would be sent later, out of
 * date.
 */
export interface Broker {
  readonly nats: NatsConnection;
  readonly caller: CallerName;
  /** False from the loss of the connection until it is restored. */
  readonly connected: boolean;
  /** Maximum bytes of a message, headers included, as negotiated with the server. */
  readonly maxPayload: number;
  /** Why a subscription has ended; undefined while all are alive. */
  readonly fault: string | undefined;
  /**
   * Subscribes for as long as the process lives; with a queue, each message reaches one member of it. A subscription
   * that ends other than by `drain` is a fault of the process: it seems healthy and receives nothing.
   */
  subscribe(subject: string, hear: (message: Msg) => void, options?: { queue: string }): Subscription;
  onDisconnect(listener: () => void): void;
  onReconnect(listener: () => void): void;
  /** Calls back with the subject of each message that NATS does not permit this user to publish. */
  onForbidden(listener: (subject: string) => void): void;
  /** Flushes and closes; safe to call twice and while disconnected. */
  close(): Promise<void>;
}

const jittered = (): number => reconnectDelayMs + Math.random() * reconnectJitterMs;

/**
 * Delays of the client's dials: none for the first, `reconnectDelayMs` for the others. The client measures its own wait
 * by the time of day, so a clock that is set back by a minute keeps it disconnected for a minute. Without that wait it
 * asks this handler, whose delay is a timer.
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
    maxPingOut,
    maxReconnectAttempts: -1,
    // A restarting broker may refuse a valid user for a moment.
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
      options.log.warn({ err }, 'NATS is not reachable yet');
      await pause(jittered());
    }
  }
};

class NatsBroker implements Broker {
  readonly nats: NatsConnection;
  readonly caller: CallerName;
  readonly #options: BrokerOptions;
  readonly #onDisconnect: (() => void)[] = [];
  readonly #onReconnect: (() => void)[] = [];
  readonly #onForbidden: ((subject: string) => void)[] = [];
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

  onForbidden(listener: (subject: string) => void): void {
    this.#onForbidden.push(listener);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    clearTimeout(this.#lostTimer);
    // Draining a broken connection would wait for a server that may never return.
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
    else if (status.type === 'error') this.#failed(status.error);
    else if (status.type === 'staleConnection' || status.type === 'ldm') {
      log.warn({ reason: status.type }, 'the NATS connection is about to close');
    }
  }

  #failed(err: Error): void {
    this.#options.log.error({ err }, 'NATS reports an error');
    if (!(err instanceof PermissionViolationError) || err.operation !== 'publish') return;
    const { subject } = err;
    this.#tell(this.#onForbidden.map((listener) => () => listener(subject)));
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
 * Connects to NATS. A lost connection is redialed every 250 ms with jitter.
 * @throws the client's last error when `patienceMs` has passed without a connection
 */
export const connectBroker = async (options: BrokerOptions): Promise<Broker> =>
  new NatsBroker(await dialPatiently(options), options);
