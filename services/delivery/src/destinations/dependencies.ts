import { type Delivery, metricCatalogue } from '@stanza/contracts';
import { type Breakers, breakers, type Clock, type Metrics } from '@stanza/runtime';
import type { DeliverySettings } from '../config.ts';
import type { DestinationRow } from './destination-rows.ts';
import { DestinationFault } from './fault.ts';
import type { OutboundRules } from './outbound-addresses.ts';
import type { OutboundReply } from './outbound-reply.ts';
import { DestinationTransport, type Resolve } from './transport.ts';

/** Breakers kept; each costs little, and a host that is forgotten begins with a closed one. */
const maxBreakers = 2_000;
/** Milliseconds that a host is left alone before it is probed. */
const resetTimeoutMs = 10_000;

/** The settings that destinations go by. */
export type DestinationSettings = Pick<
  DeliverySettings,
  | 'STANZA_DESTINATION_ALLOW'
  | 'STANZA_DESTINATION_DENY'
  | 'STANZA_DESTINATION_PORTS'
  | 'STANZA_DESTINATION_TEST_HOSTS'
  | 'STANZA_DESTINATION_DISABLE_AFTER'
>;

/** What is shared by everything that has to do with destinations. */
export interface DestinationDependencies {
  rules: OutboundRules;
  testHosts: ReadonlySet<string>;
  /** Failed attempts in a row after which a destination is made inactive. */
  disableAfter: number;
  breakers: Breakers;
  transport: DestinationTransport;
  /** A number from 0 to 1, for jitter. */
  random: () => number;
  /** Follows an attempt. */
  observe: (outcome: OutboundReply['outcome'], latencyMs: number) => void;
  /** Counts a delivery that has come to its end. */
  count: (status: Exclude<Delivery['status'], 'waiting'>) => void;
  /** Counts addresses that were refused: when a destination was saved, or at a connection. */
  countRefused: (at: 'save' | 'connect') => void;
}

/**
 * The key of a destination's breaker: host and port, for each organization by itself. Many share the host of a service
 * that takes hooks, and what is wrong with the hook of one says nothing about the others.
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
  return {
    observe: (outcome, latencyMs) => {
      attempts.inc({ outcome });
      seconds.observe({}, latencyMs / 1_000);
    },
    count: (status) => ended.inc({ status }),
  };
};

/** What they are made from. */
export interface DestinationPartsOptions {
  settings: DestinationSettings;
  metrics: Metrics;
  clock: Clock;
  /** In place of the system's resolver. */
  resolve?: Resolve;
  random?: () => number;
}

/** Makes them from settings and metrics. */
export const createDestinationParts = ({
  settings,
  metrics,
  clock,
  resolve,
  random = Math.random,
}: DestinationPartsOptions): DestinationDependencies => {
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
      ...(resolve && { resolve }),
    }),
    random,
    ...instruments(metrics),
    countRefused,
  };
};
