import { setTimeout as pause } from 'node:timers/promises';
import {
  type Msg,
  type NatsConnection,
  PermissionViolationError,
  type Status,
} from '@nats-io/transport-node';
import type { CallerName } from '@stanza/contracts';
import { type DialOptions, dial, dialPatiently, jittered } from './dial.ts';
import { type BrokerSubscription, ProcessSubscription, type SubscribeOptions } from './subscription.ts';

/**
 * Every failed redial leaves some 11 KB behind in the client (nats.js#433), so a process does not redial for ever: it
 * ends after this time and is restarted by its supervisor. Until then a gateway answers with coded errors. A process that
 * ends sooner is held back, by Kubernetes for up to five minutes, also once NATS is there again.
 */
export const lostAfterMs = 600_000;
/** Milliseconds in which the other servers learn the subscriptions at one of them. */
const spreadMs = 1_000;
/**
 * Milliseconds for which a connection that was left still carries the answers to what arrived over it: longer than any
 * deadline.
 */
const leftConnectionMs = 45_000;
/**
 * Milliseconds after a disturbance, up to twice as many, in which connections have come to rest: then each is dialled
 * once more.
 */
const rebalanceMs = 300_000;

/** Address and user of a NATS connection. */
export interface BrokerOptions extends DialOptions {
  /** Milliseconds for which the first connection is retried; 0 tries once. */
  patienceMs?: number;
  /** Milliseconds without connection after which `onLost` is called; {@link lostAfterMs} unless given. */
  lostAfterMs?: number;
  /**
   * Milliseconds after a disturbance, up to twice as many, after which the process dials again; five minutes unless
   * given.
   */
  rebalanceMs?: number;
  /**
   * Called when the process must be restarted: the connection is lost for good or for too long, or a subscription was
   * closed.
   */
  onLost?: (reason: string) => void;
}

/**
 * The connection of a process to NATS. Nothing is published while it is down, because it would be sent later, out of
 * date. A server that is about to stop is left for another one before it goes, without a gap: see {@link
 * Broker.isDoubled}.
 */
export interface Broker {
  /** The connection of this moment: keep none. */
  readonly nats: NatsConnection;
  readonly caller: CallerName;
  /** False from the loss of the connection until it is restored. */
  readonly connected: boolean;
  /** True while messages arrive over two connections, each message twice unless a queue shares it out. */
  readonly isDoubled: boolean;
  /** Maximum bytes of a message, headers included, as negotiated with the server. */
  readonly maxPayload: number;
  /** Why a subscription has ended; undefined while all are alive. */
  readonly fault: string | undefined;
  /**
   * Subscribes for as long as the process lives; with a queue, each message reaches one member of it. A subscription
   * that ends other than by `drain` is a fault of the process: it seems healthy and receives nothing; one that is
   * `optional` is only logged.
   */
  subscribe(subject: string, receive: (message: Msg) => void, options?: SubscribeOptions): BrokerSubscription;
  /** `stale` where the server hung: it answered no pings. */
  onDisconnect(listener: (reason: 'stale' | 'closed') => void): void;
  onReconnect(listener: () => void): void;
  /** Calls back with the subject of each message that NATS does not permit this user to publish. */
  onForbidden(listener: (subject: string) => void): void;
  /** Flushes and closes; safe to call twice and while disconnected. */
  close(): Promise<void>;
}

class NatsBroker implements Broker {
  readonly caller: CallerName;
  readonly #options: BrokerOptions;
  readonly #onDisconnect: ((reason: 'stale' | 'closed') => void)[] = [];
  readonly #onReconnect: (() => void)[] = [];
  readonly #onForbidden: ((subject: string) => void)[] = [];
  readonly #subscriptions = new Set<ProcessSubscription>();
  /** Connections that were left and still carry answers. */
  readonly #left = new Set<NatsConnection>();
  readonly #ended = new AbortController();
  #nats: NatsConnection;
  #connected = true;
  #isMoving = false;
  #isStale = false;
  /** Connections besides the current one that deliver messages. */
  #doubles = 0;
  #closing: Promise<void> | undefined;
  #lostTimer: NodeJS.Timeout | undefined;
  #rebalanceTimer: NodeJS.Timeout | undefined;
  #maxPayload: number;
  #fault: string | undefined;

  constructor(nats: NatsConnection, options: BrokerOptions) {
    this.#nats = nats;
    this.caller = options.caller;
    this.#options = options;
    this.#maxPayload = nats.info?.max_payload ?? 1024 * 1024;
    void this.#watch(nats);
  }

  get nats(): NatsConnection {
    return this.#nats;
  }

  get connected(): boolean {
    return this.#connected;
  }

  get isDoubled(): boolean {
    return this.#doubles > 0;
  }

  get maxPayload(): number {
    return this.#maxPayload;
  }

  get fault(): string | undefined {
    return this.#fault;
  }

  subscribe(
    subject: string,
    receive: (message: Msg) => void,
    options?: SubscribeOptions,
  ): BrokerSubscription {
    const { log } = this.#options;
    const subscription = new ProcessSubscription({ subject, receive, log, ...options }, (nats) => {
      this.#subscriptions.delete(subscription);
      if (options?.isOptional || this.#closing !== undefined || nats !== this.#nats) return;
      this.#fault = `the subscription of ${subject} was closed`;
      this.#options.onLost?.(this.#fault);
    });
    subscription.open(this.#nats);
    this.#subscriptions.add(subscription);
    return subscription;
  }

  onDisconnect(listener: (reason: 'stale' | 'closed') => void): void {
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
    clearTimeout(this.#rebalanceTimer);
    this.#ended.abort();
    const isConnected = this.#connected;
    await Promise.all([...this.#left].map((it) => drained(it)));
    // Draining a broken connection would wait for a server that may never return.
    if (isConnected) await drained(this.#nats);
    else await this.#nats.close();
  }

  async #watch(nats: NatsConnection): Promise<void> {
    for await (const status of nats.status()) {
      if (nats === this.#nats) this.#notice(status);
      // What was left is not dialled again.
      else if (status.type === 'disconnect') await nats.close();
    }
    if (nats !== this.#nats) return;
    this.#connected = false;
    if (this.#closing === undefined) this.#options.onLost?.('the NATS connection was closed');
  }

  #notice(status: Status): void {
    const { log } = this.#options;
    if (status.type === 'disconnect') this.#disconnected();
    else if (status.type === 'reconnect') this.#reconnected();
    else if (status.type === 'error') this.#failed(status.error);
    else if (status.type === 'staleConnection') {
      this.#isStale = true;
      log.warn({ reason: status.type }, 'the NATS connection is about to close');
    } else if (status.type === 'ldm') {
      log.info('the NATS server is about to stop: moving to another one');
      void this.#move();
    }
  }

  /**
   * Goes on at another server and leaves this one without losing a message: subscribes there first, and lets this
   * connection carry the answers to what arrived over it. Without another server the client redials once this one is
   * gone.
   */
  async #move(): Promise<void> {
    if (this.#isMoving || this.#closing !== undefined) return;
    this.#isMoving = true;
    try {
      const from = this.#nats;
      const to = await this.#dialBeside(from);
      if (!to) return;
      this.#nats = to;
      // What was subscribed since the dial.
      for (const subscription of this.#subscriptions) subscription.open(to);
      this.#maxPayload = to.info?.max_payload ?? this.#maxPayload;
      void this.#watch(to);
      this.#options.log.info('moved to another NATS server');
      this.#rebalanceLater();
      this.#left.add(from);
      void this.#drain(from);
    } finally {
      this.#isMoving = false;
    }
    if (this.#nats.info?.ldm) void this.#move();
  }

  /** A connection with all subscriptions of this one; undefined where this one is lost or closed before. */
  async #dialBeside(from: NatsConnection): Promise<NatsConnection | undefined> {
    const servers = from.getServers().map(({ listen }) => listen);
    const isOver = () => !this.#connected || this.#closing !== undefined;
    while (!isOver()) {
      let to: NatsConnection | undefined;
      try {
        to = await dial(this.#options, servers);
        this.#doubles++;
        for (const subscription of this.#subscriptions) subscription.open(to);
        await to.flush();
        if (!isOver()) return to;
      } catch (err) {
        this.#options.log.warn({ err }, 'another NATS server is not reachable yet');
      }
      if (to) await this.#forsake(to);
      if (!isOver()) await this.#pause(jittered());
    }
    return undefined;
  }

  /** Closes a connection that was not moved to. */
  async #forsake(to: NatsConnection): Promise<void> {
    for (const subscription of this.#subscriptions) subscription.forget(to);
    await to.close();
    this.#doubles--;
  }

  /**
   * Ends the subscriptions of a connection once the others stand everywhere, and the connection once its answers are
   * out.
   */
  async #drain(from: NatsConnection): Promise<void> {
    await this.#pause(spreadMs);
    const left = [...this.#subscriptions].map((subscription) => subscription.leave(from));
    await Promise.allSettled(left);
    this.#doubles--;
    await this.#pause(leftConnectionMs);
    await drained(from);
    this.#left.delete(from);
  }

  /** Waits, but no longer than the process is connected. */
  async #pause(milliseconds: number): Promise<void> {
    await pause(milliseconds, undefined, { signal: this.#ended.signal, ref: false }).catch(() => undefined);
  }

  #failed(err: Error): void {
    this.#options.log.error({ err }, 'NATS reports an error');
    if (!(err instanceof PermissionViolationError) || err.operation !== 'publish') return;
    const { subject } = err;
    this.#notify(this.#onForbidden.map((listener) => () => listener(subject)));
  }

  #disconnected(): void {
    if (!this.#connected) return;
    this.#connected = false;
    this.#options.log.warn('disconnected from NATS');
    const limit = this.#options.lostAfterMs ?? lostAfterMs;
    this.#lostTimer = setTimeout(() => {
      this.#options.onLost?.(`no NATS connection for ${Math.round(limit / 1000)} s`);
    }, limit);
    const reason = this.#isStale ? 'stale' : 'closed';
    this.#isStale = false;
    this.#notify(this.#onDisconnect.map((listener) => () => listener(reason)));
  }

  #reconnected(): void {
    clearTimeout(this.#lostTimer);
    this.#connected = true;
    this.#maxPayload = this.#nats.info?.max_payload ?? this.#maxPayload;
    this.#options.log.info('connected to NATS again');
    this.#rebalanceLater();
    this.#notify(this.#onReconnect);
  }

  /**
   * After a server has stopped or failed, connections stand at the others, after several all at one. Once all is calm
   * each process dials once more, at random, so that they spread again.
   */
  #rebalanceLater(): void {
    if (this.#nats.getServers().length < 2) return;
    clearTimeout(this.#rebalanceTimer);
    const from = this.#options.rebalanceMs ?? rebalanceMs;
    // Moving here is no disturbance: the timer is not set again by it.
    const move = () => void this.#move().then(() => clearTimeout(this.#rebalanceTimer));
    this.#rebalanceTimer = setTimeout(move, from * (1 + Math.random())).unref();
  }

  #notify(listeners: readonly (() => void)[]): void {
    for (const listener of listeners) {
      try {
        listener();
      } catch (err) {
        this.#options.log.error({ err }, 'a listener of the NATS connection failed');
      }
    }
  }
}

/** Flushes and closes a connection; one that is closed stays so. */
const drained = async (nats: NatsConnection): Promise<void> => {
  if (!nats.isClosed()) await nats.drain();
};

/**
 * Connects to NATS. A lost connection is redialed every 250 ms with jitter.
 * @throws the client's last error when `patienceMs` has passed without a connection
 */
export const connectBroker = async (options: BrokerOptions): Promise<Broker> =>
  new NatsBroker(await dialPatiently(options, options.patienceMs ?? 0), options);
