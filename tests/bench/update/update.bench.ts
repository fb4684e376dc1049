import { cpuText } from '../figures.ts';
import { onStackOf } from '../on-stack.ts';
import { canMeasureProcesses } from '../processes.ts';
import type { BenchMode, BenchRow } from '../row.ts';
import { meanOf, quantile, type Round, roundOf, sumOf, withoutSandbox } from '../send/rounds.ts';
import { channelOf, newSender, type Sender, SenderClient } from '../sender.ts';

const inFlight = 16;
/** Workspaces that updates are spread over: the platform takes fifty a minute in each. */
const workspaces = { full: 24, check: 4 } as const;
/** Updates of one round in each of them. */
const updatesOfEach = 8;
/** Rounds of each kind before anything is measured: V8 has compiled what runs after ten to twenty seconds of load. */
const warmUps = { full: 10, check: 0 } as const;
const rounds = { full: 6, check: 1 } as const;

const rowOf = (mode: BenchMode, sends: readonly Round[], updates: readonly Round[]): BenchRow => {
  const [ours, theirs] = [withoutSandbox(meanOf(updates)), withoutSandbox(meanOf(sends))];
  return {
    what: `update of a message, ${workspaces[mode]} workspaces: CPU of all processes but the sandbox`,
    peer: 'a send in the same workspaces',
    ours: `${sumOf(ours).toFixed(2)} ms`,
    theirs: `${sumOf(theirs).toFixed(2)} ms`,
    ratio: sumOf(ours) / sumOf(theirs),
    budget: '≤ 1.2',
    aim: '≤ 1.0',
    p50: quantile(updates, 0.5),
    p99: quantile(updates, 0.99),
    cpu: `${cpuText(ours)}; beside ${cpuText(theirs)}`,
  };
};

/** Posts messages and updates each of them once, in turns. */
export const updateBench = async (mode: BenchMode = 'full'): Promise<BenchRow[]> => {
  if (!canMeasureProcesses()) {
    console.log('Not run: the costs of updates, which only Linux tells.');
    return [];
  }
  return onStackOf(mode, { seed: false }, async ({ stack, world }) => {
    const { base_url, pids } = stack.info;
    const client = new SenderClient(base_url, inFlight);
    const senders: Sender[] = [];
    while (senders.length < workspaces[mode]) senders.push(await newSender(world));
    const count = senders.length * updatesOfEach;
    const [sends, updates]: [Round[], Round[]] = [[], []];
    const measure = (request: (at: number) => Promise<unknown>) =>
      roundOf(pids, mode, inFlight, request, count);
    try {
      for (let round = 0; round < warmUps[mode] + rounds[mode]; round += 1) {
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
        const [sent, updated] = [await measure(send), await measure(update)];
        if (round < warmUps[mode]) continue;
        sends.push(sent);
        updates.push(updated);
      }
      return [rowOf(mode, sends, updates)];
    } finally {
      await client.close();
    }
  });
};
