import { Pool } from 'undici';
import { z } from 'zod';
import { cpuText, meanCpu, median } from '../figures.ts';
import { onStackOf } from '../on-stack.ts';
import { data } from '../ordinary-message.ts';
import { cpuBetween, type Pids, usageOf } from '../processes.ts';
import type { BenchMode, BenchRow } from '../row.ts';
import { channelOf, newSender, type Sender } from '../sender.ts';
import { versionOf } from '../surroundings.ts';
import { BareClient } from './bare-client.ts';
import { LibraryClient } from './library-client.ts';

/** Messages of one request. */
const size = 100;
/** Requests of each side; every workspace takes part in a few, since a channel takes a message a second. */
const workspaces = { full: 10, check: 1 } as const;
/**
 * Workspaces, and requests of each, before anything is measured: V8 has compiled what runs after ten to twenty seconds
 * of load.
 */
const warmUps = { workspaces: { full: 10, check: 1 }, requests: { full: 10, check: 1 } } as const;
const roundsOfWorkspace = { full: 4, check: 1 } as const;

/** Channels that no other request of the workspace posts to. */
const channelsOf = (round: number): string[] =>
  Array.from({ length: size }, (_, index) => channelOf(round * size + index));

const answered = z.looseObject({ total_sent: z.literal(size) });

/** Requests under way at once, of a program that has more to send than one request holds. */
const requestsAtOnce = 4;

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

const sendAtOnce = async (ours: Pool, sender: Sender): Promise<number> => {
  const rounds = Array.from({ length: requestsAtOnce }, (_, round) => channelsOf(round));
  return Math.max(...(await Promise.all(rounds.map((channels) => sendOurs(ours, sender, channels)))));
};

const newSide = (): Side => ({ times: [], cpu: [] });

const rateOf = (milliseconds: number, messages: number): number => (messages / milliseconds) * 1_000;

/** Milliseconds by request, and of CPU of the whole stack for one message. */
interface Side {
  times: number[];
  cpu: Record<string, number>[];
}

/** Measures one request of a side, or several at once. */
const take = async (
  side: Side,
  pids: Pids,
  request: () => Promise<number>,
  messages = size,
): Promise<void> => {
  const [before, own] = [usageOf(pids), process.cpuUsage()];
  side.times.push(await request());
  const { user, system } = process.cpuUsage(own);
  const used = { ...cpuBetween(before, usageOf(pids)), client: (user + system) / 1_000 };
  side.cpu.push(Object.fromEntries(Object.entries(used).map(([name, ms]) => [name, ms / messages])));
};

const one = `send-bulk of ${size} to an instant sandbox, messages`;

const rowOf = (
  ours: Side,
  theirs: Side,
  facts: Pick<BenchRow, 'what' | 'peer' | 'budget' | 'aim'>,
  messages = size,
): BenchRow => {
  const [our, their] = [rateOf(median(ours.times), messages), rateOf(median(theirs.times), messages)];
  return {
    ...facts,
    ours: `${Math.round(our)}/s`,
    theirs: `${Math.round(their)}/s`,
    ratio: our / their,
    p50: `${Math.round(median(ours.times))} ms`,
    p99: `${Math.round(Math.max(...ours.times))} ms`,
    cpu: `${cpuText(meanCpu(ours.cpu))}; beside ${cpuText(meanCpu(theirs.cpu))}`,
  };
};

const libraryFacts = {
  peer: `the same posts by @slack/web-api ${versionOf('@slack/web-api')}, 16 in flight`,
  budget: '≥ 1.0',
  aim: '≥ 1.5',
};

/** Bulk sends end to end next to clients that make the same posts and nothing else, in turns, on one stack. */
export const bulkBench = (mode: BenchMode = 'full'): Promise<BenchRow[]> =>
  onStackOf(mode, {}, async ({ stack, world }) => {
    const { sandbox_url, base_url, pids } = stack.info;
    const sandbox = { sandbox: pids.sandbox ?? 0 };
    const bare = new BareClient(sandbox_url);
    const library = new LibraryClient(sandbox_url);
    const pool = new Pool(base_url, { connections: requestsAtOnce });
    const [ours, floors, peers]: [Side, Side, Side] = [newSide(), newSide(), newSide()];
    const [oursAtOnce, peersAtOnce]: [Side, Side] = [newSide(), newSide()];
    try {
      for (let workspace = 0; workspace < warmUps.workspaces[mode]; workspace += 1) {
        const warm = await newSender(world);
        for (let round = 0; round < warmUps.requests[mode]; round += 1)
          await sendOurs(pool, warm, channelsOf(round));
      }
      const warm = await newSender(world);
      const post = await bare.postLike(channelsOf(0));
      await bare.send(post, warm.token, channelsOf(0));
      await library.send(post, warm.token, channelsOf(1));
      for (let workspace = 0; workspace < workspaces[mode]; workspace += 1) {
        const sender = await newSender(world);
        for (let round = 0; round < roundsOfWorkspace[mode]; round += 1) {
          const channels = channelsOf(round);
          await take(ours, pids, () => sendOurs(pool, sender, channels));
          await take(floors, sandbox, () => bare.send(post, sender.token, channels));
          const others = channelsOf(round + roundsOfWorkspace[mode]);
          await take(peers, sandbox, () => library.send(post, sender.token, others));
        }
        const busy = await newSender(world);
        const many = size * requestsAtOnce;
        await take(oursAtOnce, pids, () => sendAtOnce(pool, busy), many);
        const others = Array.from({ length: many }, (_, index) => channelOf(many + index));
        await take(peersAtOnce, sandbox, () => library.send(post, busy.token, others), many);
      }
      return [
        rowOf(ours, floors, {
          what: one,
          peer: 'the same posts by a bare client, 16 in flight',
          budget: '≥ 0.5',
          aim: '≥ 0.8',
        }),
        rowOf(ours, peers, { ...libraryFacts, what: one }),
        rowOf(
          oursAtOnce,
          peersAtOnce,
          { ...libraryFacts, what: `${requestsAtOnce} requests of send-bulk of ${size} at once, messages` },
          size * requestsAtOnce,
        ),
      ];
    } finally {
      await pool.close();
      await bare.close();
    }
  });
