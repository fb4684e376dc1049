import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { keyHashSecrets } from '@stanza/organization/key-hash';
import { z } from 'zod';
import { actBusily } from '../../kit/busy-customer.ts';
import { cloneOrganization } from '../../kit/many-organizations.ts';
import { type OwnStack, startOwnStack } from '../../kit/own-stack.ts';
import { startReceiver } from '../../kit/receiver.ts';
import type { BenchMode, BenchRow } from '../row.ts';

/** Organizations that use the stack, and how many of them do all that a customer does. */
const sizes = { full: { organizations: 10_000, busy: 100 }, check: { organizations: 50, busy: 2 } } as const;
/** Of each busy organization; each at a host of its own. */
const destinationsOfEach = 10;
/** Scrapes of each process, in turns; the first ones warm up. */
const scrapes = { full: 60, check: 3 } as const;
const warmUps = { full: 20, check: 1 } as const;
const atOnce = 16;

/** Runs `work` for each, some at one time. */
const forEach = async <T>(items: readonly T[], work: (item: T, index: number) => Promise<unknown>) => {
  const left = [...items.entries()];
  const worker = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await work(next[1], next[0]);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
};

/** A host of its own on this machine for each destination. */
const hostAt = (index: number): string => `127.${1 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}`;

const hashesOf = (directory: string) =>
  z
    .object({ key_hash_secrets: z.string().pipe(keyHashSecrets) })
    .parse(JSON.parse(readFileSync(join(directory, 'secrets.json'), 'utf8'))).key_hash_secrets;

/** Lets organizations use a stack: the busy ones do everything, each other one validates its key. */
const use = async (
  { world, directory }: OwnStack,
  { organizations, busy }: { organizations: number; busy: number },
  urlsOf: (customer: number) => string[],
): Promise<void> => {
  const model = await world.newOrganization({ tier: 'enterprise', credits: 1_000_000 });
  const { key } = await model.key();
  await actBusily(world.api.with(key), { channel: 'C1000', urls: urlsOf(0) });
  const clones = await cloneOrganization(world.database, hashesOf(directory), model.id, organizations - busy);
  await forEach(clones, async (own) => {
    const { status } = await world.api.with(own).get('/v1/auth/validate');
    if (status !== 200) throw new Error(`a clone was answered ${status}`);
  });
  await forEach(Array.from({ length: busy - 1 }), async (_, index) => {
    const organization = await world.newOrganization({ tier: 'enterprise', credits: 1_000 });
    const api = world.api.with((await organization.key()).key);
    await actBusily(api, { channel: `C${1_001 + index}`, urls: urlsOf(index + 1) });
  });
};

/** Scrapes of one process: the shortest and all times, and the last page. */
interface Scraped {
  times: number[];
  page: string;
}

const scrape = async (url: string, seen: Scraped): Promise<void> => {
  const begun = performance.now();
  seen.page = await (await fetch(url)).text();
  seen.times.push(performance.now() - begun);
};

/** Scrapes every process of both stacks, in turns. */
const scrapeBoth = async (stacks: readonly OwnStack[], mode: BenchMode): Promise<Map<string, Scraped>[]> => {
  const seen = stacks.map(() => new Map<string, Scraped>());
  for (let turn = 0; turn < warmUps[mode] + scrapes[mode]; turn += 1) {
    for (const [index, { stack }] of stacks.entries()) {
      for (const [name, url] of Object.entries(stack.info.metrics)) {
        const scraped = seen[index]?.get(name) ?? { times: [], page: '' };
        seen[index]?.set(name, scraped);
        await scrape(url, scraped);
      }
    }
  }
  for (const { times } of seen.flatMap((it) => [...it.values()])) times.splice(0, warmUps[mode]);
  return seen;
};

const linesOf = ({ page }: Scraped, matching: RegExp): string[] =>
  page.split('\n').filter((line) => matching.test(line));
const seriesOf = (scraped: Scraped): number => linesOf(scraped, /^[^#]/).length;
const metricsOf = (scraped: Scraped): string =>
  linesOf(scraped, /^# TYPE /)
    .sort()
    .join('\n');

const percentile = (times: readonly number[], part: number): string =>
  `${(times.toSorted((one, other) => one - other)[Math.floor(times.length * part)] ?? 0).toFixed(1)} ms`;

/** What else the machine does adds to a time and never takes from it: the shortest is what the process takes. */
const bestOf = ({ times }: Scraped): number => Math.min(...times);

const textOf = (scraped: Scraped): string => `${bestOf(scraped).toFixed(1)} ms, ${seriesOf(scraped)} series`;

const rowOf = (service: string, organizations: number, many: Scraped, one: Scraped): BenchRow => {
  if (metricsOf(many) !== metricsOf(one))
    throw new Error(`the two processes of ${service} have other metrics`);
  return {
    what: `a scrape of ${service}, ${organizations.toLocaleString('en')} organizations`,
    peer: 'the same process, one organization',
    ours: textOf(many),
    theirs: textOf(one),
    ratio: bestOf(many) / bestOf(one),
    budget: '≤ 2',
    aim: '≤ 1.2',
    p50: percentile(many.times, 0.5),
    p99: percentile(many.times, 0.99),
  };
};

/**
 * What a scrape of each process takes once 10,000 organizations have used the stack, next to that of a stack that one
 * organization has used, in turns.
 */
export const scrapeBench = async (mode: BenchMode = 'full'): Promise<BenchRow[]> => {
  const opened = new AsyncDisposableStack();
  try {
    const { organizations, busy } = sizes[mode];
    const receiver = await startReceiver('0.0.0.0');
    opened.defer(() => receiver.close());
    const { port } = new URL(receiver.url);
    const hosts = Array.from({ length: busy * destinationsOfEach }, (_, index) => hostAt(index));
    const urlsOf = (customer: number): string[] =>
      hosts
        .slice(customer * destinationsOfEach, (customer + 1) * destinationsOfEach)
        .map((host) => `http://${host}:${port}/hooks`);
    const env = { STANZA_DESTINATION_ALLOW: '127.0.0.0/8', STANZA_DESTINATION_TEST_HOSTS: hosts.join() };
    const start = async (): Promise<OwnStack> => {
      const own = await startOwnStack('scrape', { seed: false, port: 0, env });
      opened.defer(() => own.close());
      return own;
    };
    const [many, one] = [await start(), await start()];
    await use(many, { organizations, busy }, urlsOf);
    await use(one, { organizations: 1, busy: 1 }, urlsOf);
    const [manyScraped, oneScraped] = await scrapeBoth([many, one], mode);
    return [...(manyScraped ?? [])].map(([service, scraped]) =>
      rowOf(service, organizations, scraped, oneScraped?.get(service) ?? { times: [], page: '' }),
    );
  } finally {
    await opened.disposeAsync();
  }
};
