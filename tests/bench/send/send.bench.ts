import { randomUUID } from 'node:crypto';
import { BareClient } from '../bulk/bare-client.ts';
import { cpuText, median } from '../figures.ts';
import { onStackOf } from '../on-stack.ts';
import { ownService, startPeer, stopPeer } from '../peer-process.ts';
import { canMeasureProcesses } from '../processes.ts';
import type { BenchMode, BenchRow } from '../row.ts';
import { channelOf, newSender, type Sender, SenderClient } from '../sender.ts';
import { meanOf, quantile, type Round, roundOf, sumOf, withoutSandbox } from './rounds.ts';

/** Requests in flight: of the row of rates, and of that of costs. */
const inFlight = { rate: 32, cost: 16 } as const;
/** Messages of one round: one for each channel, since a channel takes a message a second. */
const messages = { full: 1_000, check: 40 } as const;
const rounds = { full: 5, check: 1 } as const;
/** Rounds of each kind before anything is measured: V8 has compiled what runs after ten to twenty seconds of load. */
const warmUps = { full: 8, check: 1 } as const;

const rateRow = (sends: readonly Round[], posts: readonly number[]): BenchRow => {
  const [ours, theirs] = [median(sends.map((it) => it.rate)), median(posts)];
  return {
    what: `send, one organization, ${inFlight.rate} in flight, 1,000 channels`,
    peer: 'the same posts by a bare client, 16 in flight',
    ours: `${Math.round(ours)}/s`,
    theirs: `${Math.round(theirs)}/s`,
    ratio: ours / theirs,
    budget: '≥ 0.25',
    aim: '≥ 0.5',
    p50: quantile(sends, 0.5),
    p99: quantile(sends, 0.99),
    cpu: cpuText(meanOf(sends)),
  };
};

const costRow = (sends: readonly Round[], compiles: readonly Round[]): BenchRow => {
  const [ours, theirs] = [withoutSandbox(meanOf(sends)), withoutSandbox(meanOf(compiles))];
  return {
    what: `send, ${inFlight.cost} in flight: CPU of all processes but the sandbox`,
    peer: `a compile, ${inFlight.cost} in flight`,
    ours: `${sumOf(ours).toFixed(2)} ms`,
    theirs: `${sumOf(theirs).toFixed(2)} ms`,
    ratio: sumOf(ours) / sumOf(theirs),
    budget: '≤ 2',
    aim: '≤ 1.5',
    p50: quantile(sends, 0.5),
    p99: quantile(sends, 0.99),
    cpu: `${cpuText(ours)}; beside ${cpuText(theirs)}`,
  };
};

/** Messages a second of CPU next to what a team writes itself, whose platform is the same sandbox. */
const ownRow = (sends: readonly Round[], owns: readonly Round[]): BenchRow => {
  const [ours, theirs] = [withoutSandbox(meanOf(sends)), withoutSandbox(meanOf(owns))];
  const rate = (rounds: readonly Round[]) => Math.round(median(rounds.map((it) => it.rate)));
  return {
    what: `send with a key, one organization, ${inFlight.rate} in flight: messages a second of CPU`,
    peer: ownService.peer,
    ours: `${Math.round(1_000 / sumOf(ours))}/s (${rate(sends)}/s of the clock)`,
    theirs: `${Math.round(1_000 / sumOf(theirs))}/s (${rate(owns)}/s of the clock)`,
    ratio: sumOf(theirs) / sumOf(ours),
    budget: '≥ 0.6',
    aim: '≥ 1.0',
    p50: `${quantile(sends, 0.5)} (${quantile(owns, 0.5)})`,
    p99: `${quantile(sends, 0.99)} (${quantile(owns, 0.99)})`,
    cpu: `${cpuText(ours)}; beside ${cpuText(theirs)}`,
  };
};

/** Sends one by one next to a client that makes the same posts and nothing else, and next to compiles, in turns. */
export const sendBench = (mode: BenchMode = 'full'): Promise<BenchRow[]> =>
  onStackOf(mode, { seed: false }, async ({ stack, world }) => {
    const { sandbox_url, base_url, pids } = stack.info;
    const client = new SenderClient(base_url, inFlight.rate);
    const bare = new BareClient(sandbox_url);
    /** Workspaces of their own: the posts of one side do not fill the channels of the other. */
    const [ours, costs, floor, keyed, own]: [Sender, Sender, Sender, Sender, Sender] = [
      await newSender(world),
      await newSender(world),
      await newSender(world),
      await newSender(world),
      await newSender(world),
    ];
    const channels = Array.from({ length: messages[mode] }, (_, at) => channelOf(at));
    const sendAs = (sender: Sender) => (at: number) => client.send(sender, channelOf(at));
    const compile = () => client.compile(costs);
    const peer = await startPeer(ownService.script, {
      BENCH_DATABASE_URL: stack.info.database_url,
      BENCH_PLATFORM_URL: sandbox_url,
      BENCH_KEY: own.key,
      BENCH_TOKEN: own.token,
      BENCH_TEMPLATE_ID: own.templateId,
    });
    const ownClient = new SenderClient(peer.url, inFlight.rate, '/send');
    const { postgres = 0 } = pids;
    const keyedOf = (asked: SenderClient, sender: Sender) => (at: number) =>
      asked.send(sender, channelOf(at), randomUUID());
    const keyedRound = () => roundOf(pids, mode, inFlight.rate, keyedOf(client, keyed), messages[mode]);
    const ownRound = () =>
      roundOf({ process: peer.pid, postgres }, mode, inFlight.rate, keyedOf(ownClient, own), messages[mode]);
    try {
      for (let round = 0; round < warmUps[mode]; round += 1) {
        await roundOf(pids, mode, inFlight.rate, sendAs(await newSender(world)), messages[mode]);
        await roundOf(pids, mode, inFlight.cost, compile, messages[mode]);
      }
      await keyedRound();
      for (let round = 0; round < rounds[mode]; round += 1) await ownRound();
      const post = await bare.postLike(channels);
      const posts: number[] = [];
      const [sends, costly, compiles]: [Round[], Round[], Round[]] = [[], [], []];
      const [withKeys, owns]: [Round[], Round[]] = [[], []];
      for (let round = 0; round < rounds[mode]; round += 1) {
        sends.push(await roundOf(pids, mode, inFlight.rate, sendAs(ours), messages[mode]));
        posts.push((channels.length / (await bare.send(post, floor.token, channels))) * 1_000);
        costly.push(await roundOf(pids, mode, inFlight.cost, sendAs(costs), messages[mode]));
        compiles.push(await roundOf(pids, mode, inFlight.cost, compile, messages[mode]));
        withKeys.push(await keyedRound());
        owns.push(await ownRound());
      }
      const rows = [rateRow(sends, posts)];
      return canMeasureProcesses() ? [...rows, costRow(costly, compiles), ownRow(withKeys, owns)] : rows;
    } finally {
      await ownClient.close();
      await stopPeer(peer);
      await client.close();
      await bare.close();
    }
  });
