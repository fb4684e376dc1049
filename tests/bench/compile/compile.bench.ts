import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileTemplate } from '@stanza/contracts';
import { startStack } from '@stanza/stack';
import autocannon from 'autocannon';
import { Api } from '../../support/api.ts';
import { TestOrganization } from '../../support/organization.ts';
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
    headers: { 'content-type': 'application/json', ...(key ? { authorization: `Bearer ${key}` } : {}) },
  });
  const { p50, p99 } = result.latency;
  return { rate: result['2xx'] / result.duration, p50, p99, errors: result.non2xx + result.errors };
};

const median = (values: number[]): number =>
  values.sort((one, other) => one - other)[values.length >> 1] ?? 0;

const startFloor = async (natsUrl: string, answer: string): Promise<{ floor: ChildProcess; url: string }> => {
  const floor = fork(join(import.meta.dirname, 'floor.ts'), ['front'], {
    env: { ...process.env, BENCH_NATS_URL: natsUrl, BENCH_ANSWER: answer },
  });
  const [port] = await once(floor, 'message');
  return { floor, url: `http://127.0.0.1:${port}/compile` };
};

/** Compiles end to end against the floor, in turns, on one stack. */
export async function compileBench(mode: BenchMode = 'full'): Promise<BenchRow[]> {
  const directory = await mkdtemp(join(tmpdir(), 'stanza-bench-'));
  const stack = await startStack({ directory, port: 0, quiet: true });
  try {
    const world = await openWorld(stack.info);
    const organization = await TestOrganization.create(world.rpc, {
      credits: 100_000_000,
      tier: 'enterprise',
      connected: false,
    });
    const { key } = await organization.key();
    const api = new Api(stack.info.base_url, key);
    const { id } = await liveTemplate(api, blocks);
    const body = { template_id: id, data };
    const answer = await api.ok(compileTemplate, { body });
    const { floor, url } = await startFloor(stack.info.nats_url, JSON.stringify(answer));
    const ours: Measured[] = [];
    const theirs: Measured[] = [];
    const compileUrl = `${stack.info.base_url}/v1/templates/compile`;
    await load(compileUrl, JSON.stringify(body), key, 1);
    for (let round = 0; round < rounds[mode]; round += 1) {
      ours.push(await load(compileUrl, JSON.stringify(body), key, seconds[mode]));
      theirs.push(await load(url, JSON.stringify(body), undefined, seconds[mode]));
    }
    floor.kill();
    await world.close();
    const failures = [...ours, ...theirs].reduce((sum, it) => sum + it.errors, 0);
    if (failures > 0) throw new Error(`${failures} requests of the bench failed`);
    return [rowOf(ours, theirs)];
  } finally {
    await stack.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

const rowOf = (ours: Measured[], theirs: Measured[]): BenchRow => {
  const rate = (measured: Measured[]) => median(measured.map((it) => it.rate));
  return {
    what: 'POST /v1/templates/compile, metered, 64 connections',
    peer: 'floor: express 5 + one NATS echo of the same bytes',
    ours: `${Math.round(rate(ours))}/s`,
    theirs: `${Math.round(rate(theirs))}/s`,
    ratio: rate(ours) / rate(theirs),
    budget: '≥ 0.40',
    aim: '≥ 0.70',
    p50: `${median(ours.map((it) => it.p50))} ms`,
    p99: `${median(ours.map((it) => it.p99))} ms`,
  };
};
