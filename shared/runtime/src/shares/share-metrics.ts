import { metricCatalogue, type ShareKind } from '@stanza/contracts';
import type { Metrics } from '../observability/metrics.ts';

/** What is shared, as its metrics show it at a scrape. */
export interface ShareUse {
  /** Slots that are taken, for all holders together. */
  held: number;
  /** Slots of the holder that has most of them. */
  largest: number;
}

/** Counts what happens to those who share. */
export interface ShareCounts {
  /** Refused: nothing was free, or the holder had its share. */
  refused(reason: 'full' | 'share'): void;
}

/** Shows the use of what is shared, and counts refusals; the same metrics for every kind. */
export const observeShares = (metrics: Metrics, kind: ShareKind, use: () => ShareUse): ShareCounts => {
  const { shareSlots, shareRefused } = metricCatalogue.runtime;
  metrics.gauge(shareSlots, (gauge) => {
    for (const [of, value] of Object.entries(use())) gauge.set({ kind, of }, value);
  });
  const refused = metrics.counter(shareRefused);
  // Begun at zero, so that the first of each is seen as an increase.
  for (const reason of ['full', 'share']) refused.inc({ kind, reason }, 0);
  return {
    refused: (reason) => refused.inc({ kind, reason }),
  };
};

/** Counts those who wait for their turn, from zero on, so that the first is seen as an increase. */
export const observeWaits = (metrics: Metrics, kind: ShareKind): (() => void) => {
  const waited = metrics.counter(metricCatalogue.runtime.shareWaited);
  waited.inc({ kind }, 0);
  return () => waited.inc({ kind });
};

/** The largest of the numbers; 0 of none. */
export const largestOf = (held: Iterable<number>): number => {
  let largest = 0;
  for (const slots of held) largest = Math.max(largest, slots);
  return largest;
};
