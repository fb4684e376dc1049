import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Stanza } from '@stanza/sdk';
import { z } from 'zod';
import { SeededRandom } from '../../chaos/random.ts';
import { BadProxy } from '../../kit/bad-proxy.ts';
import { inFlight, repeat } from '../../kit/in-flight.ts';
import type { World } from '../../kit/stack.ts';
import { liveTemplate } from '../../kit/templates.ts';
import { median } from '../figures.ts';
import { onStackOf } from '../on-stack.ts';
import { blocks, data } from '../ordinary-message.ts';
import type { BenchMode, BenchRow } from '../row.ts';

const rounds = { full: 5, check: 1 } as const;
const callsOfRound = { full: 2_000, check: 100 } as const;
const callsForMemory = { full: 100_000, check: 1_000 } as const;
const sends = { full: 10_000, check: 100 } as const;
/** Channels of the sandbox, each of which takes about a message a second. */
const channels = 1_000;

setFlagsFromString('--expose-gc');
const collect: unknown = runInNewContext('gc');

/** Bytes that are held once nothing is left to collect. */
const heldBytes = (): number => {
  if (typeof collect !== 'function') throw new Error('there is no collector to be called');
  collect();
  return process.memoryUsage().heapUsed;
};

/** A key and a live template. */
interface Sender {
  key: string;
  templateId: string;
}

const newSender = async (world: World): Promise<Sender> => {
  const organization = await world.newOrganization({ credits: 10_000_000, tier: 'enterprise' });
  const { key } = await organization.key();
  const { id } = await liveTemplate(world.api.with(key), blocks);
  return { key, templateId: id };
};

/** The same compile, with an idempotency key as the SDK gives it, and nothing around it. */
const bareCompile = async (url: string, { key, templateId }: Sender): Promise<void> => {
  const response = await fetch(`${url}/v1/templates/compile`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
    },
    body: JSON.stringify({ template_id: templateId, data }),
  });
  if (!response.ok) throw new Error(`a compile of the bench answered ${response.status}`);
  await response.json();
};

/** Compiles by the SDK next to the same by `fetch`, in turns. */
const rateRow = async (world: World, mode: BenchMode): Promise<BenchRow> => {
  const sender = await newSender(world);
  const url = world.api.base;
  const stanza = new Stanza({ url, key: sender.key });
  const ours = () => stanza.compile(sender.templateId, { data });
  const theirs = () => bareCompile(url, sender);
  const calls = callsOfRound[mode];
  const [our, their]: [number[], number[]] = [[], []];
  await repeat(calls / 2, ours);
  await repeat(calls / 2, theirs);
  for (let round = 0; round < rounds[mode]; round += 1) {
    our.push((calls / (await repeat(calls, ours))) * 1_000);
    their.push((calls / (await repeat(calls, theirs))) * 1_000);
  }
  return {
    what: `compile by the SDK, ${inFlight} in flight`,
    peer: 'the same by bare fetch',
    ours: `${Math.round(median(our))}/s`,
    theirs: `${Math.round(median(their))}/s`,
    ratio: median(our) / median(their),
    budget: '≥ 0.95',
    aim: '≥ 0.98',
  };
};

/** What is held after all calls next to what was held after the first tenth of them. */
const memoryRow = async (mode: BenchMode): Promise<BenchRow> => {
  const stub = fork(join(import.meta.dirname, 'stub.ts'));
  try {
    const [port] = await once(stub, 'message');
    const stanza = new Stanza({ url: `http://127.0.0.1:${z.int().parse(port)}`, key: 'stz_bench' });
    const signal = new AbortController().signal;
    const calls = callsForMemory[mode];
    const call = () => stanza.compile('deploy-alert', { data }, { signal });
    await repeat(calls / 10, call);
    const early = heldBytes();
    await repeat((calls * 9) / 10, call);
    const late = heldBytes();
    const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
    return {
      what: `memory after ${calls.toLocaleString('en')} calls of the SDK with one signal`,
      peer: 'after the first tenth of them',
      ours: megabytes(late),
      theirs: megabytes(early),
      ratio: late / early,
      budget: '≤ 1.10',
      aim: '≤ 1.02',
    };
  } finally {
    stub.disconnect();
  }
};

/** Sends behind a proxy that cuts, delays and doubles, counted by the sandbox. */
const proxyRow = async (world: World, mode: BenchMode): Promise<BenchRow> => {
  const { key, templateId } = await newSender(world);
  const proxy = await BadProxy.start(world.api.base, new SeededRandom(4_711));
  try {
    const stanza = new Stanza({ url: proxy.url, key, timeoutMs: 300_000 });
    const sent = new Set<string>();
    await repeat(sends[mode], async (index) => {
      const message = { channel_id: `C${1_000 + (index % channels)}`, data };
      sent.add((await stanza.send(templateId, message)).message_id);
    });
    const posted = (await world.sandbox.allMessages()).flatMap((it) =>
      sent.has(it.key ?? '') ? [it.key] : [],
    );
    const doubled = posted.length - new Set(posted).size;
    const { pagination } = await new Stanza({ url: world.api.base, key }).messages.list({ limit: 1 }).page();
    if (sent.size !== sends[mode] || doubled > 0 || pagination.total !== sent.size)
      throw new Error(`${sent.size} sent, ${pagination.total} in the log, ${doubled} posted twice`);
    return {
      what: 'messages of the SDK behind a proxy that cuts, delays and doubles, as it counts them',
      peer: 'as the sandbox counts them',
      ours: String(sent.size),
      theirs: String(posted.length),
      ratio: sent.size / posted.length,
      budget: '1.00',
      aim: '1.00',
    };
  } finally {
    await proxy.close();
  }
};

/** What the SDK costs, what it holds, and whether it loses or doubles. */
export const sdkBench = (mode: BenchMode = 'full'): Promise<BenchRow[]> =>
  onStackOf(mode, {}, async ({ world }) => [
    await rateRow(world, mode),
    await memoryRow(mode),
    await proxyRow(world, mode),
  ]);
