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
/**
 * Requests that are counted, and windows without a request. What runs in nearly all of the first is the request's, unless it
 * runs in most of the others.
 */
const counted = 9;

const coverage = z.array(
  z.object({
    url: z.string(),
    functions: z.array(
      z.object({ ranges: z.array(z.object({ startOffset: z.number(), count: z.number() })) }),
    ),
  }),
);

/** The source of a built file, from the root of the repository. */
const sourceOf = (url: string): string =>
  url.replace(/^.*\/((?:services|shared)\/[a-z-]+\/)(?:dist|src)\//, '$1src/').replace(/\.js$/, '.ts');

/** Reads which functions have run in a process since the previous reading, as `<file>:<offset>`. */
class CoverageReader {
  readonly #folder: string;
  readonly #pid: number;
  #snapshots = 0;

  constructor(folder: string, pid: number) {
    this.#folder = folder;
    this.#pid = pid;
  }

  async read(): Promise<Set<string>> {
    const file = join(this.#folder, `${this.#pid}-${this.#snapshots}.json`);
    this.#snapshots += 1;
    process.kill(this.#pid, 'SIGUSR2');
    await waitFor(`the coverage in ${file}`, () => existsSync(file));
    const scripts = coverage.parse(JSON.parse(await readFile(file, 'utf8')));
    const ran = scripts.flatMap(({ url, functions }) =>
      functions.flatMap(({ ranges: [whole] }) =>
        whole && whole.count > 0 ? [`${sourceOf(url)}:${whole.startOffset}`] : [],
      ),
    );
    return new Set(ran);
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

/** The functions that have run in at least this many of the windows. */
const ranOften = (windows: readonly ReadonlySet<string>[], least: number): Set<string> => {
  const functions = new Set(windows.flatMap((it) => [...it]));
  return new Set([...functions].filter((one) => windows.filter((it) => it.has(one)).length >= least));
};

/** Wires a service together. Of it only the timers of background jobs run, in any window of a busy machine. */
const compositionRoot = /^services\/[a-z-]+\/src\/service\.ts$/;

const filesOf = (functions: Iterable<string>): Hops => {
  const ran = [...functions].map((one) => one.replace(/:\d+$/, ''));
  const files = new Set(ran.filter((file) => !compositionRoot.test(file)));
  return Map.groupBy([...files].sort(), (file) => file.split('/').slice(0, 2).join('/'));
};

const measure = async ({ stack, world }: OwnStack, folder: string): Promise<Record<RequestName, Hops>> => {
  const organization = await world.newOrganization({ credits: 10_000, tier: 'pro' });
  const requests = await requestsOf(world.api.with((await organization.key()).key));
  const { services } = stack.info.pids;
  if (services === undefined) throw new Error('The stack runs no process of all services.');
  const reader = new CoverageReader(folder, services);
  const ranIn = async (work: (number: number) => Promise<unknown>, least: number): Promise<Set<string>> => {
    await reader.read();
    const windows: Set<string>[] = [];
    for (let number = 0; number < counted; number += 1) {
      await work(warmUps + number);
      windows.push(await reader.read());
    }
    return ranOften(windows, least);
  };
  const hopsOf = async (request: (number: number) => Promise<unknown>): Promise<Hops> => {
    for (let number = 0; number < warmUps; number += 1) await request(number);
    // On a busy machine a window is long enough for idle work in many of them, but not in nearly all.
    const ran = await ranIn(request, counted - 1);
    // The last request's work after its answer falls into the first windows, which are few.
    const idle = await ranIn(async () => {}, Math.ceil(counted / 2));
    return filesOf([...ran].filter((one) => !idle.has(one)));
  };
  return {
    send: await hopsOf(requests.send),
    bulk: await hopsOf(requests.bulk),
    compile: await hopsOf(requests.compile),
    push: await hopsOf(requests.push),
  };
};

/**
 * Counts the files that warm requests execute in a stack, by V8's precise coverage. Work after the answer counts: it
 * falls into the window of the next request. All services are one process, which call each other as those of several do.
 */
export const measureHops = async (): Promise<Record<RequestName, Hops>> => {
  const folder = await mkdtemp(join(tmpdir(), 'stanza-hops-'));
  const recorder = new URL('record-coverage.ts', import.meta.url);
  recorder.searchParams.set('folder', folder);
  try {
    const own = await startOwnStack('hops', {
      seed: false,
      small: true,
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
