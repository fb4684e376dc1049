import { mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDestination, createQueue, pushEvents, testDestination } from '@stanza/contracts';
import { type Stack, startStack } from '@stanza/stack';
import { z } from 'zod';
import { keyHashSecrets } from '../../services/organization/src/domain/key-hash.ts';
import type { Api } from '../support/api.ts';
import { cloneOrganization } from '../support/many-organizations.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { openWorld, type World } from '../support/stack.ts';
import { WatchedStory } from '../support/watched.ts';

const organizations = 10_000;
/** Of these, how many do all that a customer does, with so many destinations each. */
const busy = 100;
const destinationsOfEach = 10;
const atOnce = 16;
const mostSeries = 5_000;
const mostMs = 50;
/** The shortest of so many is what the process takes; the others tell of what the machine does besides. */
const scrapes = 9;

interface Scrape {
  series: number;
  ms: number;
  text: string;
}

const scrape = async (url: string): Promise<Scrape> => {
  let text = '';
  let ms = Number.POSITIVE_INFINITY;
  for (let run = 0; run < scrapes; run++) {
    const started = performance.now();
    text = await (await fetch(url)).text();
    ms = Math.min(ms, performance.now() - started);
  }
  const series = text.split('\n').filter((line) => line !== '' && !line.startsWith('#')).length;
  return { text, series, ms };
};

/** Runs `work` for each, some at one time. */
const each = async <T>(items: readonly T[], work: (item: T, index: number) => Promise<unknown>) => {
  const left = [...items.entries()];
  const worker = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await work(next[1], next[0]);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
};

/** A host of its own on this machine for each destination. */
const hostAt = (index: number): string => `127.${1 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}`;
const hosts = Array.from({ length: busy * destinationsOfEach }, (_, index) => hostAt(index));

describe(`a system of ${organizations} organizations`, () => {
  const directory = mkdtempSync(join(tmpdir(), 'stanza-scrapes-'));
  let stack: Stack;
  let world: World;
  let receiver: Receiver;
  const before = new Map<string, Scrape>();

  const act = async (api: Api, index: number): Promise<void> => {
    const story = await WatchedStory.begin(api);
    const answers = [await story.compile(), await story.send(`C${1_000 + index}`)];
    expect(answers.map((it) => it.status)).toEqual([200, 200]);
    const queue = { name: `Queue ${index}`, mode: 'rolling_window', window_seconds: 3_600 };
    for (let at = 0; at < destinationsOfEach; at++) {
      const port = new URL(receiver.url).port;
      const url = `http://${hosts[index * destinationsOfEach + at]}:${port}/hooks`;
      const body = { name: `Hook ${at}`, url, auth_type: 'none' };
      const { id } = await api.ok(createDestination, { body });
      expect(await api.ok(testDestination, { params: { id }, body: {} })).toMatchObject({ success: true });
      if (at > 0) continue;
      const { id: queueId } = await api.ok(createQueue, { body: { ...queue, destination_id: id } });
      await api.ok(pushEvents, { params: { id: queueId }, body: { events: [{ n: index }] } });
    }
  };

  beforeAll(async () => {
    receiver = await startReceiver('0.0.0.0');
    const env = { STANZA_DESTINATION_ALLOW: '127.0.0.0/8', STANZA_DESTINATION_TEST_HOSTS: hosts.join() };
    stack = await startStack({ directory, seed: false, env });
    world = await openWorld(stack.info);
    const model = await world.newOrganization({ tier: 'enterprise', credits: 1_000_000 });
    const { key } = await model.key();
    await act(world.api.with(key), 0);
    for (const [name, url] of Object.entries(stack.info.metrics)) before.set(name, await scrape(url));
    const secrets = z
      .object({ key_hash_secrets: z.string().pipe(keyHashSecrets) })
      .parse(JSON.parse(readFileSync(join(directory, 'secrets.json'), 'utf8')));
    const hashes = secrets.key_hash_secrets;
    const keys = await cloneOrganization(world.database, hashes, model.id, organizations - busy);
    await each(keys, async (own) => {
      const { status } = await world.api.with(own).get('/v1/auth/validate');
      if (status !== 200) throw new Error(`a clone was answered ${status}`);
    });
    await each(Array.from({ length: busy - 1 }), async (_, index) => {
      const organization = await world.newOrganization({ tier: 'enterprise', credits: 1_000 });
      await act(world.api.with((await organization.key()).key), index + 1);
    });
  }, 600_000);
  afterAll(async () => {
    await world?.close();
    await stack?.stop();
    await receiver?.close();
    await rm(directory, { recursive: true, force: true });
  }, 60_000);

  it('tells of itself as shortly, and as fast, as one of a few', async () => {
    const faults: string[] = [];
    for (const [name, url] of Object.entries(stack.info.metrics)) {
      const { series, ms, text } = await scrape(url);
      const grown = series - (before.get(name)?.series ?? 0);
      console.info(`${name}: ${series} series (${grown} more than with one), ${ms.toFixed(1)} ms`);
      if (series >= mostSeries) faults.push(`${name} has ${series} series`);
      if (ms >= mostMs) faults.push(`${name} takes ${ms.toFixed(1)} ms`);
      // Ids, hosts and channels are values of labels nowhere.
      const customers = text.match(
        /="(?:[0-9a-f]{8}-[0-9a-f-]{27}|127\.\d+\.\d+\.\d+|C1\d{3}|[TWU][A-Z0-9]{8,})"/g,
      );
      if (customers) faults.push(`${name} tells of ${customers.length} customers: ${customers[0]}`);
    }
    expect(faults).toEqual([]);
    expect(new Set(receiver.received.map((it) => it.headers.host)).size).toBe(hosts.length);
  }, 60_000);
});
