import { metricDeclarations } from '@stanza/contracts';
import { createMetrics } from '@stanza/runtime';
import { exporterSeries } from './exporter-series.ts';

/** Labels that Prometheus puts on everything it scrapes in a cluster; `service` is of the processes themselves. */
const scraped = ['namespace', 'job', 'instance', 'service'];
/** Labels of what the process tells of itself. */
const ofProcess: Readonly<Record<string, readonly string[]>> = {
  nodejs_gc_duration_seconds: ['kind'],
  nodejs_heap_space_size_used_bytes: ['space'],
  nodejs_active_resources: ['type'],
};

/** Labels by the name of every series there is, the parts of histograms included. */
export const knownSeries = (): Map<string, ReadonlySet<string>> => {
  const known = new Map<string, ReadonlySet<string>>([['up', new Set(scraped)]]);
  const add = (name: string, type: string, labels: readonly string[]): void => {
    if (type !== 'histogram') known.set(name, new Set([...scraped, ...labels]));
    else {
      known.set(`${name}_bucket`, new Set([...scraped, ...labels, 'le']));
      for (const part of ['_count', '_sum']) known.set(`${name}${part}`, new Set([...scraped, ...labels]));
    }
  };
  for (const [name, labels] of Object.entries(exporterSeries)) add(name, 'gauge', labels);
  for (const { name, type, labels } of metricDeclarations) add(name, type, Object.keys(labels));
  const { registry } = createMetrics({ service: 'gateway', processMetrics: true });
  for (const { name, type } of registry.getMetricsAsArray()) add(name, String(type), ofProcess[name] ?? []);
  return known;
};

/** Words of the language that stand where a series could. */
const words = new Set(
  'sum max min avg abs count rate increase changes delta deriv histogram_quantile topk clamp_min absent avg_over_time min_over_time last_over_time group vector time by without on ignoring group_left and or unless offset bool le'.split(
    ' ',
  ),
);

const values = /"[^"]*"/g;
const matchers = /\{[^}]*\}/g;
const groupings = /\b(?:by|without|on|ignoring|group_left)\s*\(([^)]*)\)/g;
const ranges = /\[[^\]]*\]|\$__\w+|\boffset \w+/g;
const names = /[a-zA-Z_][\w:]*/g;

const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((it) => it.trim())
    .filter(Boolean);

/** Faults of an expression: unknown series, and labels that its series do not have. */
export const faultsOf = (
  expression: string,
  known: ReadonlyMap<string, ReadonlySet<string>>,
  recorded: ReadonlySet<string> = new Set(),
): string[] => {
  const plain = expression.replaceAll(values, '""');
  const grouped = [...plain.matchAll(groupings)].flatMap((match) => listOf(match[1] ?? ''));
  const bare = plain.replaceAll(groupings, '').replaceAll(matchers, '').replaceAll(ranges, '');
  const series = [...bare.matchAll(names)].map((match) => match[0]).filter((name) => !words.has(name));
  const faults = series
    .filter((name) => !known.has(name) && !recorded.has(name))
    .map((name) => `no series ${name}`);
  const everyLabel = new Set(series.flatMap((name) => [...(known.get(name) ?? [])]));
  faults.push(...grouped.filter((label) => !everyLabel.has(label)).map((label) => `no label ${label}`));
  for (const [, name = '', inside = ''] of plain.matchAll(/([a-zA-Z_][\w:]*)\{([^}]*)\}/g)) {
    const wanted = listOf(inside).map((it) => it.split(/[=!~]/, 1)[0]?.trim() ?? '');
    const labels = known.get(name) ?? new Set();
    faults.push(
      ...wanted.filter((label) => !labels.has(label)).map((label) => `no label ${label} of ${name}`),
    );
  }
  return faults;
};

const quoted = /(\w+)\{([^}]*)\}/g;
const exact = /(\w+)="([^"]*)"/g;

/** Values of labels in an expression that no process can ever give them. */
export const strangeValues = (expression: string): string[] =>
  [...expression.matchAll(quoted)].flatMap(([, name = '', inside = '']) => {
    const declared = metricDeclarations.find((it) => name === it.name || name.startsWith(`${it.name}_`));
    return [...inside.matchAll(exact)].flatMap(([, label = '', value = '']) => {
      if (label === 'le') {
        return declared?.buckets.some((bound) => String(bound) === value)
          ? []
          : `${name}: no bucket ${value}`;
      }
      const possible = declared?.labels[label];
      if (possible === undefined || 'of' in possible || possible.includes(value)) return [];
      return `${name}: ${label} is never ${value}`;
    });
  });
