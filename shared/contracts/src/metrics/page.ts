import { serviceNames } from '../services.ts';
import { metricCatalogue } from './catalogue.ts';
import type { LabelValues, MetricDeclaration } from './declare.ts';

/** Label values beyond this number are not listed one by one. */
const listed = 12;

const valuesOf = (values: LabelValues): string => {
  if ('of' in values) return `${values.of}, at most ${values.most}`;
  if (values.length <= listed) return values.map((it) => `\`${it}\``).join(' ');
  const shown = values.slice(0, 3).map((it) => `\`${it}\``);
  return `${shown.join(' ')} …`;
};

const labelsOf = ({ labels }: MetricDeclaration): string =>
  Object.entries(labels)
    .map(([name, values]) => `**${name}**: ${valuesOf(values)}`)
    .join('<br>') || '–';

const servicesOf = ({ services }: MetricDeclaration): string => {
  if (serviceNames.every((service) => services.includes(service))) return 'all services';
  const without = serviceNames.filter((service) => !services.includes(service));
  return without.length === 1 ? `all but ${without.join()}` : services.join(', ');
};

const rowOf = (it: MetricDeclaration): string =>
  `| \`${it.name}\` | ${it.type} | ${it.unit} | ${servicesOf(it)} | ${labelsOf(it)} | ${it.help} |`;

const titles: Readonly<Record<keyof typeof metricCatalogue, string>> = {
  runtime: 'Every process',
  database: 'Database, outbox and work',
  gateway: 'Gateway: requests',
  organization: 'Organization: credits',
  compile: 'Compile: kept templates',
  delivery: 'Delivery: messages, the chat platform, destinations',
  queues: 'Queue-ingest: events and batches',
  front: 'The front of a composed stack',
};

const isGroup = (name: string): name is keyof typeof titles => name in titles;

const sections = (): string =>
  Object.entries(metricCatalogue)
    .map(([name, group]) => {
      const rows = Object.values(group).map((it: MetricDeclaration) => rowOf(it));
      return `## ${isGroup(name) ? titles[name] : name}

| name | type | unit | services | labels | meaning |
|---|---|---|---|---|---|
${rows.join('\n')}
`;
    })
    .join('\n');

/** A metric of the process or of Node.js, as the library describes it. */
export interface ProcessMetric {
  name: string;
  type: string;
  help: string;
}

/** The documentation page of all metrics, in Markdown. */
export const metricsPage = (ofProcess: readonly ProcessMetric[]): string => `# Metrics

Every process serves its metrics at \`/metrics\` on a separate port (\`STANZA_METRICS_PORT\`), in the Prometheus text format.
Each series has the label \`service\`. No label contains an organization, a channel, a host, or anything else that grows with the
number of customers. A process stays below 6,000 series, and a scrape takes less than 50 ms. \`npm run bench -- scrape\` [compares](../tests/bench/results.md) a scrape
of a stack that 10,000 organizations have used with one that a single organization has.

A scrape reads only values in memory. Database values are measured every 15 seconds, independently of scrapes, by queries that are bounded
or use small indexes. All replicas measure the same rows: use \`max\` for such gauges (their help contains "counted", "age" or "delay"), and \`sum\` for counters.

Counters with few series start at 0, so that \`increase\` includes the first event of each.

Generated from \`shared/contracts/src/metrics\` by \`npm run docs\`; processes can have no other metrics.

${sections()}
## Process

| name | type | meaning |
|---|---|---|
${ofProcess.map(({ name, type, help }) => `| \`${name}\` | ${type} | ${help} |`).join('\n')}
`;
