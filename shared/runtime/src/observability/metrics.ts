import type { LabelValues, MetricDeclaration } from '@stanza/contracts';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Counters with at most this many series start them at zero, so that the first increase is visible as one. */
const begunAtZero = 32;

/** The metrics of one service; a second call for a declared metric returns the same one. */
export interface Metrics {
  /** The label of all its series. */
  readonly service: string;
  readonly registry: Registry;
  counter<L extends string>(declaration: MetricDeclaration<'counter', L>): Counter<L>;
  /**
   * With `collect`, the gauge is set at each scrape; it must be cheap. Several collectors may each set their own
   * labels.
   */
  gauge<L extends string>(
    declaration: MetricDeclaration<'gauge', L>,
    collect?: (gauge: Gauge<L>) => void,
  ): Gauge<L>;
  histogram<L extends string>(declaration: MetricDeclaration<'histogram', L>): Histogram<L>;
}

const once = <T>(made: Map<string, T>, name: string, make: () => T): T => {
  const known = made.get(name);
  if (known !== undefined) return known;
  const metric = make();
  made.set(name, metric);
  return metric;
};

const isClosed = (values: LabelValues): values is readonly string[] => Array.isArray(values);

/** Every combination of label values, where all values are known; none where there are too many. */
const combinations = (labels: Readonly<Record<string, LabelValues>>): Record<string, string>[] => {
  let all: Record<string, string>[] = [{}];
  for (const [name, values] of Object.entries(labels)) {
    if (!isClosed(values) || all.length * values.length > begunAtZero) return [];
    all = all.flatMap((some) => values.map((value) => ({ ...some, [name]: value })));
  }
  return all;
};

const labelNames = <L extends string>(labels: Readonly<Record<L, LabelValues>>): L[] => {
  const isLabel = (name: string): name is L => name in labels;
  return Object.keys(labels).filter(isLabel);
};

/**
 * Milliseconds between two samples of the event loop's delay, which are part of each sample. A timer of 10 ms, as is usual,
 * is most of what an idle service does; an alert asks for 250 ms.
 */
const eventLoopMonitoringPrecision = 100;

/** The page of `/metrics`: the series of all, each metric described once. They differ in the label `service`. */
export const pageOf = async (all: readonly Metrics[]): Promise<string> => {
  const pages = await Promise.all(all.map(({ registry }) => registry.metrics()));
  const series = new Map<string, string[]>();
  for (const metric of pages.flatMap((page) => page.trim().split(/\n{2,}/))) {
    const [help = '', type = '', ...own] = metric.split('\n');
    const head = `${help}\n${type}`;
    series.set(head, [...(series.get(head) ?? []), ...own]);
  }
  return `${[...series].map(([head, lines]) => [head, ...lines].join('\n')).join('\n\n')}\n`;
};

/**
 * Creates the metrics of a service.
 * @param options.processMetrics adds memory, CPU, event-loop delay and garbage collection of the process
 */
export const createMetrics = (options: { service: string; processMetrics: boolean }): Metrics => {
  const registry = new Registry();
  registry.setDefaultLabels({ service: options.service });
  if (options.processMetrics) collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision });
  const counters = new Map<string, Counter>();
  const gauges = new Map<string, Gauge>();
  const histograms = new Map<string, Histogram>();
  const collects = new Map<string, ((gauge: Gauge) => void)[]>();
  const registers = [registry];
  return {
    service: options.service,
    registry,
    counter: ({ name, help, labels }) =>
      once(counters, name, () => {
        const counter = new Counter<string>({ name, help, labelNames: labelNames(labels), registers });
        for (const combination of combinations(labels)) counter.inc(combination, 0);
        return counter;
      }),
    gauge: ({ name, help, labels }, collect) => {
      const collected = once(collects, name, () => []);
      if (collect) collected.push(collect);
      return once(gauges, name, () => {
        const facts = { name, help, labelNames: labelNames(labels), registers };
        return new Gauge<string>({
          ...facts,
          collect() {
            for (const set of collected) set(this);
          },
        });
      });
    },
    histogram: ({ name, help, labels, buckets }) =>
      once(
        histograms,
        name,
        () =>
          new Histogram<string>({
            name,
            help,
            labelNames: labelNames(labels),
            buckets: [...buckets],
            registers,
          }),
      ),
  };
};
