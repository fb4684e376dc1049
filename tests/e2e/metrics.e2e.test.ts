import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type MetricDeclaration, metricDeclarations } from '@stanza/contracts';
import { testStack } from '@stanza/stack/testing';
import { openWorld, type World } from '../support/stack.ts';
import { liveTemplate } from '../support/templates.ts';

interface Series {
  name: string;
  labels: Record<string, string>;
}

const declarationOf = (name: string): MetricDeclaration | undefined =>
  metricDeclarations.find((it) =>
    it.type === 'histogram'
      ? ['_bucket', '_sum', '_count'].some((part) => name === `${it.name}${part}`)
      : name === it.name,
  );

const seriesOf = (text: string): Series[] =>
  [...text.matchAll(/^(stanza_\w+)\{([^}]*)\} /gm)].map(([, name = '', inside = '']) => ({
    name,
    labels: Object.fromEntries(
      [...inside.matchAll(/(\w+)="([^"]*)"/g)].map(([, label = '', value = '']) => [label, value]),
    ),
  }));

/** What a series has that was not declared. */
const faultsOf = ({ name, labels }: Series): string[] => {
  const declaration = declarationOf(name);
  if (!declaration) return [`${name} is not declared`];
  const { service = '', le: _, ...own } = labels;
  const faults: string[] = [];
  if (!declaration.services.some((it) => it === service)) faults.push(`${name} is not of ${service}`);
  const wanted = Object.keys(declaration.labels).sort().join();
  if (Object.keys(own).sort().join() !== wanted)
    faults.push(`${name} has ${Object.keys(own)}, not ${wanted}`);
  for (const [label, value] of Object.entries(own)) {
    const values = declaration.labels[label] ?? [];
    if (!('of' in values) && !values.includes(value)) faults.push(`${name}: ${label} is ${value}`);
  }
  return faults;
};

/** Labels that were given more values than they may have. */
const overfull = (series: readonly Series[]): string[] =>
  metricDeclarations.flatMap((declaration) =>
    Object.entries(declaration.labels).flatMap(([label, values]) => {
      const own = series.filter((it) => declarationOf(it.name) === declaration);
      const met = new Set(own.map((it) => it.labels[label]));
      return 'of' in values && met.size > values.most ? [`${declaration.name}: ${met.size} of ${label}`] : [];
    }),
  );

describe('what the processes of a stack tell', () => {
  let world: World;
  const told = new Map<string, string>();

  beforeAll(async () => {
    world = await openWorld();
    const organization = await world.newOrganization();
    const api = world.api.with((await organization.key()).key);
    const { id } = await liveTemplate(api);
    await api.post('/v1/templates/compile', { template_id: id, data: { service: 'a', version: 'b' } });
    await api.get('/v1/nowhere');
    for (const [process, url] of Object.entries(testStack().metrics)) {
      told.set(process, await (await fetch(url)).text());
    }
  }, 60_000);
  afterAll(() => world.close());

  it('is declared, with these labels and values, and nothing else', () => {
    expect(told.size).toBeGreaterThanOrEqual(6);
    for (const text of told.values()) {
      const series = seriesOf(text);
      expect(series.length).toBeGreaterThan(20);
      expect([...new Set(series.flatMap(faultsOf))]).toEqual([]);
      expect(overfull(series)).toEqual([]);
    }
  });

  it('is all that is declared', () => {
    const missing = metricDeclarations.flatMap(({ name, services }) =>
      services
        .filter((service) => service !== 'front')
        .filter((service) => !told.get(service)?.includes(`# TYPE ${name} `))
        .map((service) => `${name} of ${service}`),
    );
    expect(missing).toEqual([]);
  });
});
