import type { ServiceName } from '../services.ts';

/** Types of metrics in Prometheus. */
export type MetricType = 'counter' | 'gauge' | 'histogram';

/**
 * The values of a label: all of them, or their description and their maximum number in a process. Tests hold the maximum
 * (`tests/monitoring/budget.unit.test.ts`, `tests/e2e/metrics.e2e.test.ts`); a process does not.
 */
export type LabelValues = readonly string[] | { readonly of: string; readonly most: number };

/** The unit of a metric. */
export type MetricUnit = 'seconds' | 'bytes' | 'state' | 'count';

/** A service, or the front process that can stand before several gateways. */
export type MetricSource = ServiceName | 'front';

/** A metric as its processes and its readers know it. */
export interface MetricDeclaration<T extends MetricType = MetricType, L extends string = string> {
  readonly type: T;
  /** Snake case, `stanza_` first, the unit last. */
  readonly name: string;
  readonly help: string;
  readonly unit: MetricUnit;
  /** By name; the number of values is independent of the number of customers. */
  readonly labels: Readonly<Record<L, LabelValues>>;
  readonly services: readonly MetricSource[];
  /** Upper bounds of the buckets; for histograms only. */
  readonly buckets: readonly number[];
}

/** Bucket bounds for durations, in seconds: from a cached lookup to the longest deadline of an operation. */
export const durationBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];

type Facts<L extends string> = Omit<MetricDeclaration<MetricType, L>, 'type' | 'unit' | 'buckets'>;

/** Declares a counter. */
export const counter = <L extends string>(facts: Facts<L>): MetricDeclaration<'counter', L> => ({
  type: 'counter',
  unit: 'count',
  buckets: [],
  ...facts,
});

/** Declares a gauge, by default without a unit. */
export const gauge = <L extends string>(
  facts: Facts<L> & { unit?: MetricUnit },
): MetricDeclaration<'gauge', L> => ({ type: 'gauge', unit: 'count', buckets: [], ...facts });

/** Declares a histogram, by default of seconds in {@link durationBuckets}. */
export const histogram = <L extends string>(
  facts: Facts<L> & { unit?: MetricUnit; buckets?: readonly number[] },
): MetricDeclaration<'histogram', L> => ({
  type: 'histogram',
  unit: 'seconds',
  buckets: durationBuckets,
  ...facts,
});
