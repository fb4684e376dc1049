import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileTemplate, createQueue, pushEvents, sendBulk, sendTemplate } from '@stanza/contracts';
import { z } from 'zod';
import type { Api } from '../kit/api.ts';
import { type OwnStack, startOwnStack } from '../kit/own-stack.ts';
import { liveTemplate } from '../kit/templates.ts';
import { waitFor } from '../kit/wait.ts';

/** The requests whose files are counted. */
export const requestNames = ['send', 'bulk', 'compile', 'push'] as const;

/** One of {@link requestNames}. */
export type RequestName = (typeof requestNames)[number];

/** The files that a request executes, by package: `services/delivery`, for one. */
export type Hops = ReadonlyMap<string, readonly string[]>;

/** Requests before the first that is counted, so that caches are filled and connections are open. */
const warmUps = 4;
/** Requests that are counted. A file that runs idle runs in few of them. */
const counted = 9;

const coverage = z.array(
  z.object({
    url: z.string(),
    functions: z.array(
      z.object({ functionName: z.string(), ranges: z.array(z.object({ count: z.number() })) }),
    ),
  }),
);

/** The source of a built file, from the root of the repository. */
const sourceOf = (url: string): string =>
  url.replace(/^.*\/((?:services|shared)\/[a-z-]+\/)(?:dist|src)\//, '$1src/').replace(/\.js$/, '.ts');

/** Reads which files have run in the processes of a stack since the previous reading. */
class CoverageReader {
  readonly #folder: string;
  readonly #pids: readonly number[];
  #snapshots = 0;

  constructor(folder: string, pids: readonly number[]) {
    this.#folder = folder;
    this.#pids = pids;
  }

  async read(): Promise<Set<string>> {
    const number = this.#snapshots;
    this.#snapshots += 1;
    for (const pid of this.#pids) process.kill(pid, 'SIGUSR2');
    const read = await Promise.all(
      this.#pids.map((pid) => this.#readOne(join(this.#folder, `${pid}-${number}.json`))),
    );
    return new Set(read.flat());
  }

  async #readOne(file: string): Promise<string[]> {
    await waitFor(`the coverage in ${file}`, () => existsSync(file));
    const scripts = coverage.parse(JSON.parse(await readFile(file, 'utf8')));
    return scripts
      .filter(({ functions }) => functions.some(({ ranges: [whole] }) => (whole?.count ?? 0) > 0))
      .map(({ url }) => sourceOf(url));
  }
}

/** An organization's requests, each as it would be made by an integrator. */
const requestsOf = async (api: Api): Promise<Record<RequestName, (number: number) => Promise<unknown>>> => {
  const { id: template_id } = await liveTemplate(api);
  const policy = { mode: 'rolling_window', window_seconds: 86_400, template_id, channel_id: 'C1000' };
  const { id } = await api.ok(createQueue, { body: { name: 'Hops', ...policy } });
  const data = { service: 'checkout', version: '4.2.0' };
  let channels = 1_000;
  // A channel takes a message a second, so each message has a channel of its own.
  const channel = () => {
    channels += 1;
    return `C${channels}`;
  };
  return {
    send: () => api.ok(sendTemplate, { body: { template_id, channel_id: channel(), data } }),
    bulk: () => {
      const destinations = [channel(), channel(), channel()].map((channel_id) => ({ channel_id }));
      return api.ok(sendBulk, { body: { template_id, destinations, data } });
    },
    compile: () => api.ok(compileTemplate, { body: { template_id, data } }),
    push: (number) => api.ok(pushEvents, { params: { id }, body: { events: [{ number }] } }),
  };
};

/** The files that have run in most of the windows, by package. */
const mostlyIn = (windows: readonly ReadonlySet<string>[]): Hops => {
  const files = [...new Set(windows.flatMap((it) => [...it]))].sort();
  const often = files.filter((file) => windows.filter((it) => it.has(file)).length > windows.length / 2);
  return Map.groupBy(often, (file) => file.split('/').slice(0, 2).join('/'));
};

const measure = async ({ stack, world }: OwnStack, folder: string): Promise<Record<RequestName, Hops>> => {
  const organization = await world.newOrganization({ credits: 10_000, tier: 'pro' });
  const requests = await requestsOf(world.api.with((await organization.key()).key));
  const reader = new CoverageReader(
    folder,
    stack.processes.filter((name) => name in stack.info.metrics).map((name) => stack.info.pids[name] ?? 0),
  );
  const hopsOf = async (request: (number: number) => Promise<unknown>): Promise<Hops> => {
    for (let number = 0; number < warmUps; number += 1) await request(number);
    await reader.read();
    const windows: Set<string>[] = [];
    for (let number = 0; number < counted; number += 1) {
      await request(warmUps + number);
      windows.push(await reader.read());
    }
    return mostlyIn(windows);
  };
  return {
    send: await hopsOf(requests.send),
    bulk: await hopsOf(requests.bulk),
    compile: await hopsOf(requests.compile),
    push: await hopsOf(requests.push),
  };
};

/**
 * Counts the files that warm requests execute in the processes of a stack, by V8's precise coverage. Work after the
 * answer counts: it falls into the window of the next request.
 */
export const measureHops = async (): Promise<Record<RequestName, Hops>> => {
  const folder = await mkdtemp(join(tmpdir(), 'stanza-hops-'));
  const recorder = new URL('record-coverage.ts', import.meta.url);
  recorder.searchParams.set('folder', folder);
  try {
    const own = await startOwnStack('hops', {
      seed: false,
      env: { NODE_OPTIONS: `--import=${recorder.href}` },
    });
    try {
      return await measure(own, folder);
    } finally {
      await own.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
