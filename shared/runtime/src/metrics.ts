import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Bucket bounds for durations, in seconds: from a cached lookup to the longest deadline of an operation. */
export const durationBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];

/** What a metric is called and what it tells. */
export interface MetricFacts<L extends string = never> {
  /** Snake case, `stanza_` first, the unit last. */
  name: string;
  help: string;
  /** Label names; never one whose values grow with the number of customers. */
  labels?: readonly L[];
}

/** The metrics of one process; asking twice for a name gives the same metric. */
export interface Metrics {
  readonly registry: Registry;
  counter<L extends string = never>(facts: MetricFacts<L>): Counter<L>;
  /** With `collect`, the gauge is set by it at each scrape; it must be cheap. */
  gauge<L extends string = never>(facts: MetricFacts<L>, collect?: (gauge: Gauge<L>) => void): Gauge<L>;
  /** Seconds and {@link durationBuckets} unless told otherwise. */
  histogram<L extends string = never>(facts: MetricFacts<L>, buckets?: readonly number[]): Histogram<L>;
}

const once = <T>(made: Map<string, T>, name: string, make: () => T): T => {
  const known = made.get(name);
  if (known !== undefined) return known;
  const metric = make();
  made.set(name, metric);
  return metric;
};

/**
 * Makes the metrics of a process.
 * @param options.processMetrics adds memory, CPU, event-loop delay and garbage collection of the process
 */
export const createMetrics = (options: { service: string; processMetrics: boolean }): Metrics => {
  const registry = new Registry();
  registry.setDefaultLabels({ service: options.service });
  if (options.processMetrics) collectDefaultMetrics({ register: registry });
  const counters = new Map<string, Counter>();
  const gauges = new Map<string, Gauge>();
  const histograms = new Map<string, Histogram>();
  return {
    registry,
    counter: ({ name, help, labels = [] }) =>
      once(counters, name, () => new Counter({ name, help, labelNames: [...labels], registers: [registry] })),
    gauge: ({ name, help, labels = [] }, collect) =>
      once(
        gauges,
        name,
        () =>
          new Gauge({
            name,
            help,
            labelNames: [...labels],
            registers: [registry],
            ...(collect && {
              collect() {
                collect(this);
              },
            }),
          }),
      ),
    histogram: ({ name, help, labels = [] }, buckets = durationBuckets) =>
      once(
        histograms,
        name,
        () =>
          new Histogram({
            name,
            help,
            labelNames: [...labels],
            buckets: [...buckets],
            registers: [registry],
          }),
      ),
  };
};
