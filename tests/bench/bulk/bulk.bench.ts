import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ReplyOf, sendBulk } from '@stanza/contracts';
import { startStack } from '@stanza/stack';
import type { Api } from '../../support/api.ts';
import { openWorld, type World } from '../../support/stack.ts';
import { liveTemplate } from '../../support/templates.ts';
import { blocks, data } from '../ordinary-message.ts';
import type { BenchMode, BenchRow } from '../row.ts';
import { BareClient } from './bare-client.ts';

/** Messages of one request. */
const size = 100;
/** Requests of each side; every workspace takes part in a few, since a channel takes a message a second. */
const workspaces = { full: 10, check: 1 } as const;
const roundsOfWorkspace = { full: 4, check: 1 } as const;

/** An organization with a workspace of its own, ready to send. */
interface Sender {
  api: Api;
  templateId: string;
  token: string;
}

const newSender = async (world: World): Promise<Sender> => {
  const organization = await world.newOrganization({ credits: 1_000_000, tier: 'enterprise' });
  const api = world.api.with((await organization.key()).key);
  const { id } = await liveTemplate(api, blocks);
  return { api, templateId: id, token: `xoxb-sandbox-${organization.id}` };
};

/** Channels that no other request of the workspace posts to. */
const channelsOf = (round: number): string[] =>
  Array.from({ length: size }, (_, index) => `C${1_000 + ((round * size + index) % 1_000)}`);

const sendOurs = async ({ api, templateId }: Sender, channels: string[]): Promise<number> => {
  const destinations = channels.map((channel_id) => ({ channel_id }));
  const started = performance.now();
  const reply: ReplyOf<typeof sendBulk> = await api.ok(sendBulk, {
    body: { template_id: templateId, data, destinations },
  });
  const elapsed = performance.now() - started;
  if (reply.total_sent !== size) throw new Error(`${reply.total_failed} messages of the bench failed`);
  return elapsed;
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
  const [ours, theirs]: [number[], number[]] = [[], []];
  try {
    const warm = await newSender(world);
    await sendOurs(warm, channelsOf(0));
    const post = await bare.postLike(channelsOf(0));
    await bare.send(post, warm.token, channelsOf(0));
    for (let workspace = 0; workspace < workspaces[mode]; workspace += 1) {
      const sender = await newSender(world);
      for (let round = 0; round < roundsOfWorkspace[mode]; round += 1) {
        ours.push(await sendOurs(sender, channelsOf(round)));
        theirs.push(await bare.send(post, sender.token, channelsOf(round)));
      }
    }
    return [rowOf(ours, theirs)];
  } finally {
    await bare.close();
    await world.close();
    await stack.stop();
    await rm(directory, { recursive: true, force: true });
  }
}
