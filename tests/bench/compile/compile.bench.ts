import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileTemplate } from '@stanza/contracts';
import { type Stack, startStack } from '@stanza/stack';
import autocannon from 'autocannon';
import { startTestNats } from '../../../shared/runtime/src/testing/nats.ts';
import { openWorld } from '../../support/stack.ts';
import { liveTemplate } from '../../support/templates.ts';
import type { BenchMode, BenchRow } from '../row.ts';

const connections = 64;
const rounds = { full: 5, check: 1 } as const;
const seconds = { full: 4, check: 1 } as const;

/** A message of ordinary size: a header, three sections, a context. */
const blocks = [
  { type: 'header', text: { type: 'plain_text', text: 'Deploy of {{service}}' } },
  { type: 'section', text: { type: 'mrkdwn', text: '*{{version}}* is live, by {{author.name}}.' } },
  {
    type: 'directive',
    directive: '#each',
    path: 'changes',
    as: 'change',
    children: [{ type: 'section', text: { type: 'mrkdwn', text: '• {{change.title}} ({{change.id}})' } }],
  },
  { type: 'divider' },
  {
    type: 'context',
    elements: [{ type: 'mrkdwn', text: '{{environment | upper}} · {{count | number:0}} checks' }],
  },
];

const data = {
  service: 'checkout-api',
  version: '1.4.2',
  author: { name: 'Ada' },
  environment: 'production',
  count: 1_284,
  changes: [
    { id: 'PR-1', title: 'Faster totals' },
    { id: 'PR-2', title: 'Fix rounding of refunds & fees' },
    { id: 'PR-3', title: 'Drop the old endpoint' },
  ],
};

interface Measured {
  rate: number;
  p50: number;
  p99: number;
  errors: number;
}

const load = async (
  url: string,
  body: string,
  key: string | undefined,
  duration: number,
): Promise<Measured> => {
  const result = await autocannon({
    url,
    connections,
    duration,
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
  });
  const { p50, p99 } = result.latency;
  return { rate: result['2xx'] / result.duration, p50, p99, errors: result.non2xx + result.errors };
};

const median = (values: number[]): number =>
  values.sort((one, other) => one - other)[values.length >> 1] ?? 0;

interface Peer {
  process: ChildProcess;
  url: string;
}

const startPeer = async (script: string, env: Record<string, string>): Promise<Peer> => {
  const child = fork(join(import.meta.dirname, script), ['front'], { env: { ...process.env, ...env } });
  const failed = once(child, 'exit').then(() => Promise.reject(new Error(`${script} has ended`)));
  const [port] = await Promise.race([once(child, 'message'), failed]);
  return { process: child, url: `http://127.0.0.1:${port}/compile` };
};

const stopPeer = async ({ process: child }: Peer): Promise<void> => {
  const ended = once(child, 'exit');
  child.kill();
  await ended;
};

/** The same program as the stack's broker, but one of the peers' own: the stack's lets nobody use other subjects. */
const peerEnvironment = (
  info: Stack['info'],
  natsUrl: string,
  key: string,
  templateId: string,
  answer: unknown,
) => ({
  BENCH_NATS_URL: natsUrl,
  BENCH_DATABASE_URL: info.database_url,
  BENCH_KEY: key,
  BENCH_TEMPLATE_ID: templateId,
  BENCH_ANSWER: JSON.stringify(answer),
});

/** Compiles end to end beside the floor and the peer, in turns, on one stack. */
export async function compileBench(mode: BenchMode = 'full'): Promise<BenchRow[]> {
  const directory = await mkdtemp(join(tmpdir(), 'stanza-bench-'));
  const stack = await startStack({ directory, port: 0 });
  const world = await openWorld(stack.info);
  const nats = await startTestNats();
  const peers: Peer[] = [];
  try {
    const organization = await world.newOrganization({
      credits: 100_000_000,
      tier: 'enterprise',
      connected: false,
    });
    const { key } = await organization.key();
    const api = world.api.with(key);
    const { id } = await liveTemplate(api, blocks);
    const body = { template_id: id, data };
    const env = peerEnvironment(stack.info, nats.url, key, id, await api.ok(compileTemplate, { body }));
    const floor = await startPeer('floor.ts', env);
    peers.push(floor);
    const nest = await startPeer('nest.ts', env);
    peers.push(nest);
    const urls = [`${stack.info.base_url}/v1/templates/compile`, floor.url, nest.url];
    const [ours = [], floors = [], nests = []] = await inTurns(urls, JSON.stringify(body), key, mode);
    return [
      rowOf(ours, floors, 'floor: express 5 + one NATS echo of the same bytes', '≥ 0.40', '≥ 0.70'),
      rowOf(
        ours,
        nests,
        'the same work on @nestjs/microservices 12 over NATS with handlebars',
        '≥ 1.5',
        '≥ 3',
      ),
    ];
  } finally {
    await Promise.all(peers.map(stopPeer));
    await nats.close();
    await world.close();
    await stack.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

/** Loads each address for a while, one after the other, over and over, after a warm-up of each. */
const inTurns = async (urls: string[], body: string, key: string, mode: BenchMode): Promise<Measured[][]> => {
  const measured: Measured[][] = urls.map(() => []);
  for (const url of urls) await load(url, body, key, 1);
  for (let round = 0; round < rounds[mode]; round += 1) {
    for (const [index, url] of urls.entries())
      measured[index]?.push(await load(url, body, key, seconds[mode]));
  }
  const failures = measured.flat().reduce((sum, it) => sum + it.errors, 0);
  if (failures > 0) throw new Error(`${failures} requests of the bench failed`);
  return measured;
};

const rowOf = (ours: Measured[], theirs: Measured[], peer: string, budget: string, aim: string): BenchRow => {
  const rate = (measured: Measured[]) => median(measured.map((it) => it.rate));
  return {
    what: 'POST /v1/templates/compile, metered, 64 connections',
    peer,
    ours: `${Math.round(rate(ours))}/s`,
    theirs: `${Math.round(rate(theirs))}/s`,
    ratio: rate(ours) / rate(theirs),
    budget,
    aim,
    p50: `${median(ours.map((it) => it.p50))} ms`,
    p99: `${median(ours.map((it) => it.p99))} ms`,
  };
};
