import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { startTestNats } from '@stanza/runtime/testing/nats';
import { median } from '../figures.ts';
import type { BenchMode, BenchRow } from '../row.ts';
import { versionOf } from '../surroundings.ts';
import { inFlight, type RoundResult } from './shape.ts';

const rounds = { full: 11, check: 1 } as const;
const calls = { full: 40_000, check: 2_000 } as const;
const warmUp = { full: 60_000, check: 1_000 } as const;

interface Side {
  server: ChildProcess;
  client: ChildProcess;
}

const start = async (script: string, role: string, url: string): Promise<ChildProcess> => {
  const child = fork(join(import.meta.dirname, script), [role, url]);
  await once(child, 'message');
  return child;
};

/** Client and server are processes of their own, as two services are. */
const startSide = async (script: string, url: string): Promise<Side> => {
  const server = await start(script, 'server', url);
  return { server, client: await start(script, 'client', url) };
};

const round = async ({ client }: Side, count: number): Promise<RoundResult> => {
  client.send(count);
  const [result] = await once(client, 'message');
  return result;
};

const noResults: readonly RoundResult[] = [];

const medians = (results: RoundResult[]) => ({
  rate: median(results.map((it) => it.rate)),
  p50: median(results.map((it) => it.p50)),
  p99: median(results.map((it) => it.p99)),
  cpu: median(results.map((it) => it.cpu)),
});

const milliseconds = (ours: number, theirs: number): string => `${ours.toFixed(2)} ms (${theirs.toFixed(2)})`;

/** What is compared with ours. */
const others = [
  {
    script: 'moleculer.ts',
    peer: `moleculer ${versionOf('moleculer')} over the same NATS`,
    budget: '≥ 1.1',
    aim: '≥ 1.5',
  },
  {
    script: 'floor.ts',
    peer: `floor: bare requests of @nats-io/transport-node ${versionOf('@nats-io/transport-node')}, same bytes`,
    budget: '–',
    aim: '–',
  },
] as const;

const rowOf = (
  ours: RoundResult[],
  theirs: RoundResult[],
  facts: Pick<BenchRow, 'peer' | 'budget' | 'aim'>,
): BenchRow => {
  const [us, them] = [medians(ours), medians(theirs)];
  return {
    what: `RPC, ${inFlight} in flight, echo with deadline, headers, principal, validation, 1 % errors`,
    ...facts,
    ours: `${Math.round(us.rate)}/s`,
    theirs: `${Math.round(them.rate)}/s`,
    ratio: us.rate / them.rate,
    p50: milliseconds(us.p50, them.p50),
    p99: milliseconds(us.p99, them.p99),
    cpu: `client ${us.cpu.toFixed(0)} µs a call; beside ${them.cpu.toFixed(0)} µs`,
  };
};

/** Echoes over the same NATS server: ours, moleculer's, and bare ones, in turns. */
export async function rpcBench(mode: BenchMode = 'full'): Promise<BenchRow[]> {
  const nats = await startTestNats();
  const sides: Side[] = [];
  try {
    for (const script of ['ours.ts', ...others.map((it) => it.script)])
      sides.push(await startSide(script, nats.url));
    for (const side of sides) await round(side, warmUp[mode]);
    const measured = sides.map((side) => ({ side, results: [...noResults] }));
    for (let turn = 0; turn < rounds[mode]; turn++) {
      for (const { side, results } of measured) results.push(await round(side, calls[mode]));
    }
    const [ours, ...theirs] = measured.map((it) => it.results);
    return others.map(({ script: _, ...facts }, index) => rowOf(ours ?? [], theirs[index] ?? [], facts));
  } finally {
    for (const { server, client } of sides) {
      server.kill();
      client.kill();
    }
    await nats.close();
  }
}
