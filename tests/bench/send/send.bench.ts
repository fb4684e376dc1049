import { setTimeout as pause } from 'node:timers/promises';
import type { World } from '../../kit/stack.ts';
import { percentile } from '../beside.ts';
import { BareClient } from '../bulk/bare-client.ts';
import { perform } from '../cost/work.ts';
import { cpuText, meanCpu, median } from '../figures.ts';
import { onStackOf } from '../on-stack.ts';
import { canMeasureProcesses, cpuBetween, type Pids, usageOf } from '../processes.ts';
import type { BenchMode, BenchRow } from '../row.ts';
import { channelOf, newSender, type Sender, SenderClient } from '../sender.ts';

/** Requests in flight: of the row of rates, and of that of costs. */
const inFlight = { rate: 32, cost: 16 } as const;
/** Messages of one round: one for each channel, since a channel takes a message a second. */
const messages = { full: 1_000, check: 40 } as const;
/** Workspaces that updates are spread over: the platform takes fifty a minute in each. */
const workspaces = { full: 24, check: 4 } as const;
/** Updates of one round in each of them. */
const updatesOfEach = 8;
const rounds = { full: 5, check: 1 } as const;
/** Rounds of each kind before anything is measured: V8 has compiled what runs after ten to twenty seconds of load. */
const warmUps = { full: 8, check: 1 } as const;
/** Milliseconds until what follows an answer is done: the outbox, logs, settlements. */
const settleMs = { full: 1_500, check: 0 } as const;

/** What one round of a side came to. */
interface Round {
  /** Messages, or compiles, a second. */
  rate: number;
  /** Milliseconds of CPU of one, by process. */
  cpu: Record<string, number>;
  /** Milliseconds of each. */
  times: number[];
}

const cpuOfOne = (cpu: Record<string, number>, count: number): Record<string, number> =>
  Object.fromEntries(Object.entries(cpu).map(([name, ms]) => [name, ms / count]));

const quantile = (rounds: readonly Round[], part: number): string =>
  `${percentile(
    rounds.flatMap((it) => it.times),
    part,
  ).toFixed(1)} ms`;

const meanOf = (rounds: readonly Round[]): Record<string, number> => meanCpu(rounds.map((it) => it.cpu));

/** Does something over and over with so many in flight. */
const roundOf = async (
  pids: Pids,
  mode: BenchMode,
  lanes: number,
  request: (at: number) => Promise<unknown>,
  count: number = messages[mode],
): Promise<Round> => {
  const times: number[] = [];
  const timed = async (at: number): Promise<void> => {
    const started = performance.now();
    await request(at);
    times.push(performance.now() - started);
  };
  const before = usageOf(pids);
  const begun = performance.now();
  await perform({ name: 'a round', size: 1, requests: count, request: timed }, lanes);
  const rate = (count / (performance.now() - begun)) * 1_000;
  await pause(settleMs[mode]);
  return { rate, cpu: cpuOfOne(cpuBetween(before, usageOf(pids)), count), times };
};

const withoutSandbox = ({ sandbox: _, ...cpu }: Record<string, number>): Record<string, number> => cpu;

const sumOf = (cpu: Record<string, number>): number => Object.values(cpu).reduce((sum, ms) => sum + ms, 0);

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
    budget: '≤ 2.5',
    aim: '≤ 1.5',
    p50: quantile(sends, 0.5),
    p99: quantile(sends, 0.99),
    cpu: `${cpuText(ours)}; beside ${cpuText(theirs)}`,
  };
};

/** Messages of many workspaces, each of which is updated once after its post. */
const updateRow = async (
  mode: BenchMode,
  pids: Pids,
  world: World,
  client: SenderClient,
): Promise<BenchRow> => {
  const senders: Sender[] = [];
  while (senders.length < workspaces[mode]) senders.push(await newSender(world));
  const count = senders.length * updatesOfEach;
  const [sends, updates]: [Round[], Round[]] = [[], []];
  for (let round = 0; round < rounds[mode]; round += 1) {
    const posted: { sender: Sender; id: string }[] = [];
    const send = async (at: number): Promise<void> => {
      const sender = senders[at % senders.length];
      if (sender) posted[at] = { sender, id: await client.send(sender, channelOf(at)) };
    };
    const update = async (at: number): Promise<void> => {
      const it = posted[at];
      if (!it) throw new Error('a message that was not sent cannot be updated');
      await client.update(it.sender, it.id, round);
    };
    sends.push(await roundOf(pids, mode, inFlight.cost, send, count));
    updates.push(await roundOf(pids, mode, inFlight.cost, update, count));
  }
  const [ours, theirs] = [withoutSandbox(meanOf(updates)), withoutSandbox(meanOf(sends))];
  return {
    what: `update of a message, ${workspaces[mode]} workspaces: CPU of all processes but the sandbox`,
    peer: 'a send in the same workspaces',
    ours: `${sumOf(ours).toFixed(2)} ms`,
    theirs: `${sumOf(theirs).toFixed(2)} ms`,
    ratio: sumOf(ours) / sumOf(theirs),
    budget: '≤ 1.2',
    aim: '≤ 1.1',
    p50: quantile(updates, 0.5),
    p99: quantile(updates, 0.99),
    cpu: `${cpuText(ours)}; beside ${cpuText(theirs)}`,
  };
};

/** Sends one by one beside a client that makes the same posts and nothing else, and beside compiles and updates, in turns. */
export const sendBench = (mode: BenchMode = 'full'): Promise<BenchRow[]> =>
  onStackOf(mode, { seed: false }, async ({ stack, world }) => {
    const { sandbox_url, base_url, pids } = stack.info;
    const client = new SenderClient(base_url, inFlight.rate);
    const bare = new BareClient(sandbox_url);
    /** Workspaces of their own: the posts of one side do not fill the channels of the other. */
    const [ours, costs, floor]: [Sender, Sender, Sender] = [
      await newSender(world),
      await newSender(world),
      await newSender(world),
    ];
    const channels = Array.from({ length: messages[mode] }, (_, at) => channelOf(at));
    const sendAs = (sender: Sender) => (at: number) => client.send(sender, channelOf(at));
    const compile = () => client.compile(costs);
    try {
      for (let round = 0; round < warmUps[mode]; round += 1) {
        await roundOf(pids, mode, inFlight.rate, sendAs(await newSender(world)));
        await roundOf(pids, mode, inFlight.cost, compile);
      }
      const post = await bare.postLike(channels);
      const posts: number[] = [];
      const [sends, costly, compiles]: [Round[], Round[], Round[]] = [[], [], []];
      for (let round = 0; round < rounds[mode]; round += 1) {
        sends.push(await roundOf(pids, mode, inFlight.rate, sendAs(ours)));
        posts.push((channels.length / (await bare.send(post, floor.token, channels))) * 1_000);
        costly.push(await roundOf(pids, mode, inFlight.cost, sendAs(costs)));
        compiles.push(await roundOf(pids, mode, inFlight.cost, compile));
      }
      const rows = [rateRow(sends, posts)];
      return canMeasureProcesses()
        ? [...rows, costRow(costly, compiles), await updateRow(mode, pids, world, client)]
        : rows;
    } finally {
      await client.close();
      await bare.close();
    }
  });
