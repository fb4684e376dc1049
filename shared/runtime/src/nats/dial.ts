import { setTimeout as pause } from 'node:timers/promises';
import { type ConnectionOptions, connect, type NatsConnection } from '@nats-io/transport-node';
import { type CallerName, inboxPrefixOf } from '@stanza/contracts';
import type { Logger } from '../observability/log.ts';

/** Delay before each attempt to reconnect, plus up to `reconnectJitterMs`; milliseconds. */
const reconnectDelayMs = 250;
const reconnectJitterMs = 100;
/** Timeout of one attempt, milliseconds. */
const dialTimeoutMs = 5_000;
/**
 * Interval of pings. A server that misses more than two counts as lost after six seconds: it hangs, or its machine
 * does.
 */
const pingIntervalMs = 2_000;
const maxPingOut = 2;

/** Address and user of a NATS connection. */
export interface DialOptions {
  /** One address, or several separated by commas; without user and password. */
  url: string;
  user?: string | undefined;
  password?: string | undefined;
  /** Also names the inboxes that only this user may subscribe to. */
  caller: CallerName;
  log: Logger;
}

/** The delay before the next attempt, milliseconds. */
export const jittered = (): number => reconnectDelayMs + Math.random() * reconnectJitterMs;

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

/** Without this, a server that offers no TLS, or one in its place, is given the password as it is. */
const tlsOf = (servers: readonly string[]): Pick<ConnectionOptions, 'tls'> =>
  servers.some((it) => it.startsWith('tls://')) ? { tls: {} } : {};

/** Connects to the first of the servers that answers, in random order. */
export const dial = (options: DialOptions, servers = addressesOf(options)): Promise<NatsConnection> =>
  connect({
    servers,
    ...tlsOf(servers),
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

const addressesOf = ({ url }: DialOptions): string[] => url.split(',').map((it) => it.trim());

/** Connects, and retries for this many milliseconds; 0 tries once. */
export const dialPatiently = async (options: DialOptions, patienceMs: number): Promise<NatsConnection> => {
  const giveUpAt = performance.now() + patienceMs;
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
