import { type Delivery, metricCatalogue } from '@stanza/contracts';
import { type Breakers, breakers, type Clock, type Metrics } from '@stanza/runtime';
import type { DeliverySettings } from '../config.ts';
import type { DestinationRow } from './destination-tables.ts';
import { DestinationFault } from './fault.ts';
import { HostAddresses } from './host-addresses.ts';
import type { OutboundRules } from './outbound-addresses.ts';
import type { OutboundReply } from './outbound-reply.ts';
import { DestinationTransport, type Resolve } from './transport.ts';

/** Breakers in memory; an evicted host starts with a closed one. */
const maxBreakers = 2_000;
/** Milliseconds for which an open breaker waits before a probe. */
const resetTimeoutMs = 10_000;

/** The settings of destinations. */
export type DestinationSettings = Pick<
  DeliverySettings,
  | 'STANZA_DESTINATION_ALLOW'
  | 'STANZA_DESTINATION_DENY'
  | 'STANZA_DESTINATION_PORTS'
  | 'STANZA_DESTINATION_NAME_SERVERS'
  | 'STANZA_DESTINATION_TEST_HOSTS'
  | 'STANZA_DESTINATION_DISABLE_AFTER'
>;

/** The shared dependencies of destinations. */
export interface DestinationDependencies {
  rules: OutboundRules;
  testHosts: ReadonlySet<string>;
  /** Consecutive failed attempts after which a destination is made inactive. */
  disableAfter: number;
  breakers: Breakers;
  transport: DestinationTransport;
  /** A number from 0 to 1, for jitter. */
  random: () => number;
  /** Observes an attempt. */
  observe: (outcome: OutboundReply['outcome'], latencyMs: number) => void;
  /** Counts an ended delivery. */
  count: (status: Exclude<Delivery['status'], 'waiting'>, origin: Delivery['origin']) => void;
  /** Counts refused addresses: when a destination was saved, or at a connection. */
  countRefused: (at: 'save' | 'connect') => void;
}

/**
 * The key of a destination's breaker: host and port, for each organization. Many organizations share the host of a
 * webhook service, and a failing hook of one says nothing about the others.
 */
export const breakerKey = ({
  organization_id,
  url,
}: Pick<DestinationRow, 'organization_id' | 'url'>): string =>
  `${organization_id} ${URL.parse(url)?.host ?? url}`;

const countRefusals = (metrics: Metrics): DestinationDependencies['countRefused'] => {
  const refused = metrics.counter(metricCatalogue.delivery.addressesRefused);
  return (at) => refused.inc({ at });
};

const instruments = (metrics: Metrics): Pick<DestinationDependencies, 'observe' | 'count'> => {
  const attempts = metrics.counter(metricCatalogue.delivery.deliveryAttempts);
  const seconds = metrics.histogram(metricCatalogue.delivery.deliveryAttemptSeconds);
  const ended = metrics.counter(metricCatalogue.delivery.deliveries);
  const ofEvents = metrics.counter(metricCatalogue.delivery.eventDeliveries);
  return {
    observe: (outcome, latencyMs) => {
      attempts.inc({ outcome });
      seconds.observe({}, latencyMs / 1_000);
    },
    count: (status, origin) => {
      ended.inc({ status });
      if (origin === 'event') ofEvents.inc({ status });
    },
  };
};

/** The inputs of the dependencies. */
export interface DestinationOptions {
  settings: DestinationSettings;
  metrics: Metrics;
  clock: Clock;
  /** In place of name servers. */
  resolve?: Resolve;
  random?: () => number;
}

/** Where nothing but public addresses is allowed, a name that only this machine knows leads to none of them. */
const addressesFrom = (settings: DestinationSettings, clock: Clock): HostAddresses => {
  const { ranges, hosts } = settings.STANZA_DESTINATION_ALLOW;
  return new HostAddresses({
    servers: settings.STANZA_DESTINATION_NAME_SERVERS,
    isLocal: () => ranges.length + hosts.size > 0,
    clock,
  });
};

/** Makes the dependencies from settings and metrics. */
export const createDestinationDependencies = ({
  settings,
  metrics,
  clock,
  resolve = addressesFrom(settings, clock).resolve,
  random = Math.random,
}: DestinationOptions): DestinationDependencies => {
  const rules = {
    allowed: settings.STANZA_DESTINATION_ALLOW,
    denied: settings.STANZA_DESTINATION_DENY,
    ports: settings.STANZA_DESTINATION_PORTS,
  };
  const countRefused = countRefusals(metrics);
  return {
    rules,
    testHosts: settings.STANZA_DESTINATION_TEST_HOSTS,
    disableAfter: settings.STANZA_DESTINATION_DISABLE_AFTER,
    breakers: breakers({
      name: 'destination',
      maxBreakers,
      resetTimeoutMs,
      isFault: (error) => error instanceof DestinationFault,
      metrics,
      clock,
    }),
    transport: new DestinationTransport({
      rules,
      clock,
      onRefused: () => countRefused('connect'),
      resolve,
    }),
    random,
    ...instruments(metrics),
    countRefused,
  };
};
