import type { ServiceName } from '../services.ts';

/** What Prometheus knows of. */
export type MetricType = 'counter' | 'gauge' | 'histogram';

/** The values of a label: all of them, or what they are and how many of them a process has at most. */
export type LabelValues = readonly string[] | { readonly of: string; readonly most: number };

/** In what a metric counts. */
export type MetricUnit = 'seconds' | 'bytes' | 'state' | 'count';

/** A service, or the process that stands before several gateways where nothing else does. */
export type MetricSource = ServiceName | 'front';

/** A metric as the processes that have it and everybody who reads it know it. */
export interface MetricDeclaration<T extends MetricType = MetricType, L extends string = string> {
  readonly type: T;
  /** Snake case, `stanza_` first, the unit last. */
  readonly name: string;
  readonly help: string;
  readonly unit: MetricUnit;
  /** By name; the values of none grow with the number of customers. */
  readonly labels: Readonly<Record<L, LabelValues>>;
  readonly services: readonly MetricSource[];
  /** Upper bounds of the buckets; histograms alone have any. */
  readonly buckets: readonly number[];
}

/** Bucket bounds for durations, in seconds: from a cached lookup to the longest deadline of an operation. */
export const durationBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];

type Facts<L extends string> = Omit<MetricDeclaration<MetricType, L>, 'type' | 'unit' | 'buckets'>;

/** Declares what only grows. */
export const counter = <L extends string>(facts: Facts<L>): MetricDeclaration<'counter', L> => ({
  type: 'counter',
  unit: 'count',
  buckets: [],
  ...facts,
});

/** Declares what goes up and down; a number of things unless told otherwise. */
export const gauge = <L extends string>(
  facts: Facts<L> & { unit?: MetricUnit },
): MetricDeclaration<'gauge', L> => ({ type: 'gauge', unit: 'count', buckets: [], ...facts });

/** Declares a distribution; of seconds in {@link durationBuckets} unless told otherwise. */
export const histogram = <L extends string>(
  facts: Facts<L> & { unit?: MetricUnit; buckets?: readonly number[] },
): MetricDeclaration<'histogram', L> => ({
  type: 'histogram',
  unit: 'seconds',
  buckets: durationBuckets,
  ...facts,
});
