import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStack } from '@stanza/stack';
import { Pool } from 'undici';
import { z } from 'zod';
import { openWorld, type World } from '../../support/stack.ts';
import { liveTemplate } from '../../support/templates.ts';
import { blocks, data } from '../ordinary-message.ts';
import type { BenchMode, BenchRow } from '../row.ts';
import { BareClient } from './bare-client.ts';

/** Messages of one request. */
const size = 100;
/** Requests of each side; every workspace takes part in a few, since a channel takes a message a second. */
const workspaces = { full: 10, check: 1 } as const;
/** Requests before anything is measured; the other benches warm up for a second. */
const warmUps = { full: 10, check: 1 } as const;
const roundsOfWorkspace = { full: 4, check: 1 } as const;

/** An organization with a workspace of its own, ready to send. */
interface Sender {
  key: string;
  templateId: string;
  token: string;
}

const newSender = async (world: World): Promise<Sender> => {
  const organization = await world.newOrganization({ credits: 1_000_000, tier: 'enterprise' });
  const { key } = await organization.key();
  const { id } = await liveTemplate(world.api.with(key), blocks);
  return { key, templateId: id, token: `xoxb-sandbox-${organization.id}` };
};

/** Channels that no other request of the workspace posts to. */
const channelsOf = (round: number): string[] =>
  Array.from({ length: size }, (_, index) => `C${1_000 + ((round * size + index) % 1_000)}`);

const answered = z.looseObject({ total_sent: z.literal(size) });

/** Asks as a program would, on a kept connection. */
const sendOurs = async (ours: Pool, { key, templateId }: Sender, channels: string[]): Promise<number> => {
  const destinations = channels.map((channel_id) => ({ channel_id }));
  const started = performance.now();
  const { body } = await ours.request({
    method: 'POST',
    path: '/v1/templates/send-bulk',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ template_id: templateId, data, destinations }),
  });
  answered.parse(await body.json());
  return performance.now() - started;
};

const median = (values: number[]): number =>
  values.sort((one, other) => one - other)[values.length >> 1] ?? 0;

const rateOf = (milliseconds: number): number => (size / milliseconds) * 1_000;

const rowOf = (ours: number[], theirs: number[]): BenchRow => {
  const [our, their] = [rateOf(median(ours)), rateOf(median(theirs))];
  return {
    what: `send-bulk of ${size} to an instant sandbox, messages`,
    peer: 'the same posts by a bare client, 16 in flight',
    ours: `${Math.round(our)}/s`,
    theirs: `${Math.round(their)}/s`,
    ratio: our / their,
    budget: '≥ 0.5',
    aim: '≥ 0.8',
    p50: `${Math.round(median(ours))} ms`,
    p99: `${Math.round(Math.max(...ours))} ms`,
  };
};

/** Bulk sends end to end beside a client that makes the same posts and nothing else, in turns, on one stack. */
export async function bulkBench(mode: BenchMode = 'full'): Promise<BenchRow[]> {
  const directory = await mkdtemp(join(tmpdir(), 'stanza-bench-'));
  const stack = await startStack({ directory, port: 0 });
  const world = await openWorld(stack.info);
  const bare = new BareClient(stack.info.sandbox_url);
  const pool = new Pool(stack.info.base_url, { connections: 1 });
  const [ours, theirs]: [number[], number[]] = [[], []];
  try {
    const warm = await newSender(world);
    for (let round = 0; round < warmUps[mode]; round += 1) await sendOurs(pool, warm, channelsOf(round));
    const post = await bare.postLike(channelsOf(0));
    await bare.send(post, warm.token, channelsOf(0));
    for (let workspace = 0; workspace < workspaces[mode]; workspace += 1) {
      const sender = await newSender(world);
      for (let round = 0; round < roundsOfWorkspace[mode]; round += 1) {
        ours.push(await sendOurs(pool, sender, channelsOf(round)));
        theirs.push(await bare.send(post, sender.token, channelsOf(round)));
      }
    }
    return [rowOf(ours, theirs)];
  } finally {
    await pool.close();
    await bare.close();
    await world.close();
    await stack.stop();
    await rm(directory, { recursive: true, force: true });
  }
}
