import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { startTestNats } from '../../../shared/runtime/src/testing/nats.ts';
import type { BenchMode, BenchRow } from '../row.ts';
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

const median = (values: number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

const medians = (results: RoundResult[]) => ({
  rate: median(results.map((it) => it.rate)),
  p50: median(results.map((it) => it.p50)),
  p99: median(results.map((it) => it.p99)),
  cpu: median(results.map((it) => it.cpu)),
});

const milliseconds = (ours: number, theirs: number): string => `${ours.toFixed(2)} ms (${theirs.toFixed(2)})`;

/** Echoes over the same NATS server, ours and moleculer's, in turns. */
export async function rpcBench(mode: BenchMode = 'full'): Promise<BenchRow[]> {
  const nats = await startTestNats();
  const sides: Side[] = [];
  try {
    const ours = await startSide('ours.ts', nats.url);
    sides.push(ours);
    const theirs = await startSide('moleculer.ts', nats.url);
    sides.push(theirs);
    const measured: { ours: RoundResult[]; theirs: RoundResult[] } = { ours: [], theirs: [] };
    for (const side of sides) await round(side, warmUp[mode]);
    for (let turn = 0; turn < rounds[mode]; turn++) {
      measured.ours.push(await round(ours, calls[mode]));
      measured.theirs.push(await round(theirs, calls[mode]));
    }
    const [us, them] = [medians(measured.ours), medians(measured.theirs)];
    return [
      {
        what: `RPC, ${inFlight} in flight, echo with deadline, headers, principal, validation, 1 % errors`,
        peer: 'moleculer 0.14 over the same NATS',
        ours: `${Math.round(us.rate)}/s, client ${us.cpu.toFixed(0)} µs CPU a call`,
        theirs: `${Math.round(them.rate)}/s, client ${them.cpu.toFixed(0)} µs`,
        ratio: us.rate / them.rate,
        budget: '≥ 1.0',
        aim: '≥ 1.5',
        p50: milliseconds(us.p50, them.p50),
        p99: milliseconds(us.p99, them.p99),
      },
    ];
  } finally {
    for (const { server, client } of sides) {
      server.kill();
      client.kill();
    }
    await nats.close();
  }
}
