import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type MetricDeclaration, metricDeclarations } from '@stanza/contracts';
import { keyHashSecrets } from '@stanza/organization/key-hash';
import { testStack } from '@stanza/test-kit/database';
import { z } from 'zod';
import { actBusily } from '../kit/busy-customer.ts';
import { channelsOf } from '../kit/channels.ts';
import { cloneOrganization } from '../kit/many-organizations.ts';
import { type Receiver, startReceiver } from '../kit/receiver.ts';
import { openWorld, type World } from '../kit/stack.ts';

/** Organizations that do all that a customer does, each with destinations of its own. */
const busy = 4;
const destinationsOfEach = 3;
/** Organizations that use their key once. */
const others = 200;
const askedAtOnce = 10;
const maxSeries = 5_000;
const channels = channelsOf('metrics');

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

describe('the metrics of a stack', () => {
  let world: World;
  const receivers: Receiver[] = [];
  const told = new Map<string, string>();

  /** Makes a busy organization, and answers its id. */
  const newCustomer = async (): Promise<string> => {
    const organization = await world.newOrganization({ tier: 'enterprise' });
    const own = await Promise.all(Array.from({ length: destinationsOfEach }, () => startReceiver()));
    receivers.push(...own);
    const api = world.api.with((await organization.key()).key);
    await actBusily(api, { channel: channels.next(), urls: own.map((it) => it.url) });
    return organization.id;
  };

  /** Makes organizations like one, each of which uses its key. */
  const cloneCustomer = async (id: string): Promise<void> => {
    const file = join(dirname(process.env.STANZA_TEST_STACK ?? ''), 'secrets.json');
    const secrets = z.object({ key_hash_secrets: z.string().pipe(keyHashSecrets) });
    const { key_hash_secrets } = secrets.parse(JSON.parse(readFileSync(file, 'utf8')));
    const keys = await cloneOrganization(world.database, key_hash_secrets, id, others);
    // A few at a time: all at once, on a busy machine some would wait for the database for longer than it is given.
    const next = keys.values();
    const ask = async (): Promise<void> => {
      for (const key of next) expect((await world.api.with(key).get('/v1/auth/validate')).status).toBe(200);
    };
    await Promise.all(Array.from({ length: askedAtOnce }, ask));
  };

  beforeAll(async () => {
    world = await openWorld();
    const [first = ''] = await Promise.all(Array.from({ length: busy }, newCustomer));
    await cloneCustomer(first);
    await world.api.get('/v1/nowhere');
    for (const [process, url] of Object.entries(testStack().metrics)) {
      told.set(process, await (await fetch(url)).text());
    }
  });
  afterAll(async () => {
    await Promise.all(receivers.map((it) => it.close()));
    await world.close();
  });

  it('names no customer: no id, no channel, no workspace, no host and no port', () => {
    const ports = receivers.map(({ url }) => new URL(url).port).join('|');
    const customers = new RegExp(
      `="(?:[^"]*[0-9a-f]{8}-[0-9a-f]{4}-[^"]*|C1\\d{3}|[TWU][A-Z0-9]{8,}|[^"]*127\\.0\\.0\\.1[^"]*|[^"]*:(?:${ports})[^"]*)"`,
    );
    for (const [process, text] of told)
      expect([process, customers.exec(text)?.[0]]).toEqual([process, undefined]);
  });

  it('stays small for any number of users', () => {
    for (const text of told.values()) expect(text.match(/^[^#]/gm)?.length).toBeLessThan(maxSeries);
  });

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
