import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import {
  httpOperations,
  internalOperations,
  type MetricDeclaration,
  metricDeclarations,
  operations,
  type ServiceName,
  serviceNames,
} from '@stanza/contracts';
import { breakers, coalesce, createMetrics, type Metrics } from '@stanza/runtime';

const organizations = 1_000;
/** Fewer than the organizations, so that some are forgotten for others. */
const maxBreakers = 500;
const maxSeries = 6_000;
/** Outcomes of one operation that a process meets in its life, as far as they grow with its age. */
const metOfEach = 4;

/** The values that a label takes in a process that has met nearly everything. */
const valuesOf = (declaration: MetricDeclaration, label: string): string[] => {
  const values = declaration.labels[label] ?? [];
  if ('of' in values) {
    const met = Object.keys(declaration.labels).includes('operation') ? metOfEach : values.most;
    return Array.from({ length: met }, (_, index) => `${label}-${index}`);
  }
  const grows = label === 'outcome' && 'operation' in declaration.labels;
  return grows ? values.slice(0, metOfEach) : [...values];
};

const combinationsOf = (declaration: MetricDeclaration): Record<string, string>[] => {
  let all: Record<string, string>[] = [{}];
  for (const label of Object.keys(declaration.labels)) {
    const values = valuesOf(declaration, label);
    all = all.flatMap((some) => values.map((value) => ({ ...some, [label]: value })));
  }
  return all;
};

const isOf = <T extends MetricDeclaration['type']>(
  declaration: MetricDeclaration,
  type: T,
): declaration is MetricDeclaration<T> => declaration.type === type;

/** Gives a metric every series that it can have. */
const fill = (metrics: Metrics, declaration: MetricDeclaration): void => {
  for (const labels of combinationsOf(declaration)) {
    if (isOf(declaration, 'counter')) metrics.counter(declaration).inc(labels);
    else if (isOf(declaration, 'gauge')) metrics.gauge(declaration).set(labels, 1);
    else if (isOf(declaration, 'histogram')) metrics.histogram(declaration).observe(labels, 1);
  }
};

/** Names of the prepared statements of a service, those of the runtime included. */
const statementsOf = (service: ServiceName): string[] => {
  const cwd = join(import.meta.dirname, '../..');
  const files = globSync(['shared/runtime/src/**/*.ts', `services/${service}/src/**/*.ts`], { cwd });
  const own = files.filter((file) => !file.endsWith('.test.ts'));
  const found = own.flatMap((file) => [
    ...readFileSync(join(cwd, file), 'utf8').matchAll(
      /\b(?:statement(?:<[^(]*>)?|deletion)\(\s*'([a-z-]+)'/g,
    ),
  ]);
  return [...new Set(found.map((match) => match[1] ?? ''))];
};

/** What a service serves and calls: a gateway calls all that is offered, the others what is internal. */
const narrowed = (declaration: MetricDeclaration, service: ServiceName): MetricDeclaration => {
  const { name, labels } = declaration;
  const withLabel = (label: string, values: string[]) => ({
    ...declaration,
    labels: { ...labels, [label]: values },
  });
  if ('statement' in labels) return withLabel('statement', statementsOf(service));
  const idsOf = (some: readonly { id: string }[]) => some.map((it) => it.id);
  if (name.startsWith('stanza_rpc_server_')) {
    return withLabel('operation', idsOf(operations.filter((it) => it.service === service)));
  }
  if (!name.startsWith('stanza_rpc_client_')) return declaration;
  return withLabel('operation', idsOf(service === 'gateway' ? httpOperations : internalOperations));
};

const scrape = async (metrics: Metrics) => {
  const text = await metrics.registry.metrics();
  const series = text.split('\n').filter((line) => line !== '' && !line.startsWith('#')).length;
  return { text, series };
};

it('the statements of a service are as many as their label may have', () => {
  const statement = metricDeclarations.map((it) => it.labels.statement).find((it) => it !== undefined);
  const most = statement && 'of' in statement ? statement.most : 0;
  for (const service of serviceNames) expect(statementsOf(service).length).toBeLessThanOrEqual(most);
});

describe(`the metrics of a process that served ${organizations} organizations`, () => {
  it.each(serviceNames)('stay few in %s', async (service) => {
    const metrics = createMetrics({ service, processMetrics: true });
    for (const declaration of metricDeclarations.filter((it) => it.services.includes(service))) {
      fill(metrics, narrowed(declaration, service));
    }
    const { series } = await scrape(metrics);
    expect(series).toBeLessThan(maxSeries);
  });

  it('do not grow with what has keys of its own: breakers and gathered calls', async () => {
    const metrics = createMetrics({ service: 'delivery', processMetrics: false });
    const guards = breakers({
      name: 'chat',
      maxBreakers: maxBreakers,
      resetTimeoutMs: 10_000,
      isFault: () => true,
      metrics,
    });
    const gathered = coalesce<string, number>({
      name: 'charges',
      key: (organization) => organization,
      maxBatch: 8,
      metrics,
      run: async (items) => items.map((item) => item.length),
    });
    const serve = async (organization: string) => {
      await guards.run(`workspace of ${organization}`, async () => undefined);
      await gathered(organization);
    };
    await serve('organization-0');
    const { series: before } = await scrape(metrics);
    for (let index = 1; index < organizations; index++) await serve(`organization-${index}`);
    const { series, text } = await scrape(metrics);
    guards.close();
    expect(series).toBe(before);
    expect(text).not.toContain('organization-');
  });
});
