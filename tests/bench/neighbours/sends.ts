import { waitFor } from '../../kit/wait.ts';
import type { BenchStack } from '../on-stack.ts';
import type { BenchMode, BenchRow } from '../row.ts';
import { channelOf, newSender, SenderClient } from '../sender.ts';
import { type Round, rowOf, timesOf } from './sides.ts';

/** Sends of the other organization at one time, and the milliseconds that its workspace takes for each. */
const slow = { full: { sends: 380, ms: 7_000 }, check: { sends: 20, ms: 7_000 } } as const;
const rounds = { full: 3, check: 1 } as const;
/** Sends of the neighbour in a round, one after the other. */
const sends = { full: 100, check: 5 } as const;

/** A neighbour's sends next to many into a slow workspace; none of them may be refused. */
export const sendRow = async ({ stack, world }: BenchStack, mode: BenchMode): Promise<BenchRow> => {
  const many = slow[mode];
  const client = new SenderClient(stack.info.base_url, many.sends + 1);
  const [busy, neighbour] = [await newSender(world), await newSender(world)];
  const channels = Array.from({ length: many.sends }, (_, at) => channelOf(at));
  let next = many.sends;
  const timed = async (): Promise<number> => {
    const begun = performance.now();
    await client.send(neighbour, channelOf(next++));
    return performance.now() - begun;
  };
  const under = async (): Promise<number> => {
    const page = await (await fetch(stack.info.metrics.delivery ?? '')).text();
    return Number(/^stanza_share_slots\{kind="posting_calls",of="largest".*\} (\d+)$/m.exec(page)?.[1]);
  };
  try {
    await timesOf(sends[mode] / 5, timed);
    const measured: Round[] = [];
    for (let round = 0; round < rounds[mode]; round += 1) {
      const alone = await timesOf(sends[mode], timed);
      await Promise.all(channels.map((channel) => world.sandbox.slowPosts(channel, many.ms)));
      const slowly = channels.map((channel) => client.send(busy, channel));
      await waitFor('the slow sends to be under way', async () => (await under()) >= many.sends);
      const beside = await timesOf(sends[mode], timed);
      // A slow machine may take longer for its few sends than the slow workspace; a check keeps no figure of them.
      if (mode === 'full' && (await under()) === 0)
        throw new Error('the slow sends ended before the measurement');
      measured.push({ alone, beside });
      await Promise.all(slowly);
      await world.sandbox.clearFaults();
    }
    return rowOf(measured, {
      what: `a neighbour's p99 of send beside ${many.sends} sends to a workspace that takes ${many.ms / 1_000} s`,
      peer: 'alone',
    });
  } finally {
    await client.close();
  }
};
