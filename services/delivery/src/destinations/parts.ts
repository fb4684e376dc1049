import { type Breakers, breakers, type Kit, type Metrics } from '@stanza/runtime';
import type { DeliverySettings } from '../config.ts';
import type { OutboundRules } from '../domain/outbound-addresses.ts';

/** Breakers kept; each costs little, and a host that is forgotten begins with a closed one. */
const maxBreakers = 2_000;
/** Milliseconds that a host is left alone before it is probed. */
const resetTimeoutMs = 10_000;

/** The settings that destinations go by. */
export type DestinationSettings = Pick<
  DeliverySettings,
  | 'STANZA_DESTINATION_ALLOW'
  | 'STANZA_DESTINATION_PORTS'
  | 'STANZA_DESTINATION_TEST_HOSTS'
  | 'STANZA_DESTINATION_DISABLE_AFTER'
>;

/** What is shared by everything that has to do with destinations. */
export interface DestinationParts {
  rules: OutboundRules;
  testHosts: ReadonlySet<string>;
  /** Failed attempts in a row after which a destination is made inactive. */
  disableAfter: number;
  breakers: Breakers;
  /** Counts addresses that were refused: when a destination was saved, or at a connection. */
  countRefused: (at: 'save' | 'connect') => void;
}

/** An attempt that speaks for trouble at the other side, as breakers want to see it. */
export class DestinationFault extends Error {
  override readonly name = 'DestinationFault';
}

/** The key of a destination's breaker: its host and port, whoever sends there. */
export const breakerKey = (url: string): string => URL.parse(url)?.host ?? url;

/** Makes them from settings and metrics. */
export const createDestinationParts = ({
  settings,
  metrics,
  clock,
}: { settings: DestinationSettings; metrics: Metrics } & Pick<Kit<unknown>, 'clock'>): DestinationParts => {
  const refused = metrics.counter({
    name: 'stanza_destination_addresses_refused_total',
    help: 'Addresses of destinations that were refused, when they were saved or at a connection',
    labels: ['at'],
  });
  return {
    rules: { allowed: settings.STANZA_DESTINATION_ALLOW, ports: settings.STANZA_DESTINATION_PORTS },
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
    countRefused: (at) => refused.inc({ at }),
  };
};
