import { setTimeout as pause } from 'node:timers/promises';
import type { Stack } from '@stanza/local';
import type { LocalCluster } from '../cluster/cluster.ts';
import type { Receiver } from '../kit/receiver.ts';
import type { SandboxControl } from '../kit/sandbox.ts';
import type { Clocks } from './clocks.ts';
import type { Fault, Harm, NodeHarm } from './fault.ts';
import type { Freezer } from './freezer.ts';
import type { Network } from './network.ts';
import { readWhilePartitionsChange } from './partitions.ts';
import { breakPostgres } from './postgres-faults.ts';

/** What faults are done to. */
export interface Victim {
  stack: Stack;
  /** Where it is a cluster, its servers. */
  cluster?: Pick<LocalCluster, 'nats' | 'postgres'> | undefined;
  network: Network;
  clocks: Clocks;
  freezer: Freezer;
  sandbox: SandboxControl;
  receiver: Receiver;
}

type NetworkHarm = Extract<Harm, { kind: 'network' }>;

const breakWay = ({ network }: Victim, harm: NetworkHarm): void => {
  const way = network.way(harm.process, harm.to);
  if (harm.mode === 'partition') way.partition();
  else if (harm.mode === 'half-open') way.halfOpen();
  else if (harm.mode === 'slow') way.slow(harm.delayMs ?? 0);
  else way.reset();
};

/** Ends what was begun. */
type End = () => void | Promise<void>;

/** What is over at once has nothing to end. */
const nothing: End = () => undefined;

/** Begins what is done to the platform and to the receiver, which end it by themselves. */
const misbehave = async (
  { sandbox, receiver }: Victim,
  harm: Extract<Harm, { kind: 'platform' | 'receiver fails' }>,
): Promise<End> => {
  if (harm.kind === 'receiver fails') receiver.answers.push(...Array<number>(harm.times).fill(503));
  else {
    const { mode, value, times } = harm;
    const fault = { method: 'chat.postMessage', mode, times, ...(value === undefined ? {} : { value }) };
    await sandbox.setFault(fault);
  }
  return nothing;
};

const signals = {
  kill: 'SIGKILL',
  terminate: 'SIGTERM',
  'kill NATS': 'SIGKILL',
  'stop NATS': 'SIGTERM',
  'restart Postgres, fast': 'SIGINT',
  'restart Postgres, immediate': 'SIGQUIT',
} as const satisfies Partial<Record<Harm['kind'], NodeJS.Signals>>;

const signalled = (harm: Extract<Harm, { kind: keyof typeof signals }>): string => {
  if ('process' in harm) return harm.process;
  return harm.kind.endsWith('NATS') ? 'nats' : 'postgres';
};

/** Of a cluster, whichever Postgres takes writes now. */
const databaseOf = ({ cluster, stack }: Victim): string =>
  cluster?.postgres.current.url ?? stack.info.database_url;

const signal = ({ cluster, stack }: Victim, harm: Extract<Harm, { kind: keyof typeof signals }>): void => {
  const [name, sign] = [signalled(harm), signals[harm.kind]];
  if (cluster && name === 'postgres') cluster.postgres.current.process.kill(sign);
  else stack.kill(name, sign);
};

const clusterOf = ({ cluster }: Victim): NonNullable<Victim['cluster']> => {
  if (cluster) return cluster;
  throw new Error('a stack has no nodes to break');
};

/** Faults of one node may overlap: it is back when the last of them is over. */
const nodeFaults = new Map<string, number>();

const breakNode = async (victim: Victim, kind: NodeHarm, index: number): Promise<End> => {
  const server = clusterOf(victim).nats[index]?.process;
  if (!server) throw new Error(`there is no NATS server ${index}`);
  const begun = nodeFaults.get(server.name) ?? 0;
  nodeFaults.set(server.name, begun + 1);
  if (begun === 0) await (kind === 'NATS node away' ? server.stop('SIGKILL') : server.freeze());
  return async () => {
    const left = (nodeFaults.get(server.name) ?? 1) - 1;
    nodeFaults.set(server.name, left);
    if (left > 0) return;
    server.thaw();
    await server.start();
  };
};

/** Puts a clock off, and steps it back after half of the time where that is wanted. */
const putOff = (
  { clocks }: Victim,
  { process, offsetMs, thenMs }: Extract<Harm, { kind: 'clock' }>,
  lastsMs: number,
): End => {
  const fault = clocks.putOff(process, offsetMs);
  const step = thenMs === undefined ? undefined : setTimeout(() => fault.step(thenMs), lastsMs / 2);
  return () => {
    clearTimeout(step);
    fault.end();
  };
};

/** A reader that comes before partitions change: the process makes and drops them as it starts. */
const beginReader = async (victim: Victim, process: string): Promise<End> => {
  const end = await readWhilePartitionsChange(databaseOf(victim));
  victim.stack.kill(process, 'SIGTERM');
  return end;
};

/** Begins a fault; answers what ends it. */
const begin = async (victim: Victim, { harm, lastsMs }: Fault): Promise<End> => {
  const { network, freezer } = victim;
  switch (harm.kind) {
    case 'freeze':
    case 'long freeze':
      return freezer.freeze(harm.process);
    case 'clock':
      return putOff(victim, harm, lastsMs);
    case 'long reader':
      return beginReader(victim, harm.process);
    case 'silence':
      return network.way(harm.process, harm.to).silence();
    case 'network':
      breakWay(victim, harm);
      // Overlapping faults of one way end with the first of them that does.
      return () => network.way(harm.process, harm.to).heal();
    case 'platform':
    case 'receiver fails':
      return misbehave(victim, harm);
    case 'read-only Postgres':
    case 'no free connections':
    case 'locked accounts':
      return breakPostgres(databaseOf(victim), harm.kind);
    case 'NATS node away':
    case 'NATS node frozen':
      return breakNode(victim, harm.kind, harm.node);
    case 'kill pgbouncer':
      clusterOf(victim).postgres.pooler.kill('SIGKILL');
      return nothing;
    case 'failover':
      await clusterOf(victim).postgres.failOver();
      return nothing;
    default:
      signal(victim, harm);
      return nothing;
  }
};

/** Does one fault and waits until it is over. */
const inject = async (victim: Victim, fault: Fault): Promise<void> => {
  const end = await begin(victim, fault);
  if (fault.lastsMs === 0) return;
  await pause(fault.lastsMs);
  await end();
};

/** When a fault was done and was over, by `Date.now()`. */
export interface DoneFault extends Fault {
  begun: number;
  ended: number;
}

/**
 * Does every fault at its time; ends when the last one is over and nothing is broken on purpose any more.
 * `tell` hears of each when it begins.
 */
export const injectAll = async (
  victim: Victim,
  faults: readonly Fault[],
  tell: (fault: Fault) => void,
): Promise<DoneFault[]> => {
  const started = Date.now();
  const done = await Promise.all(
    faults.map(async (fault) => {
      await pause(fault.at - (Date.now() - started));
      tell(fault);
      const begun = Date.now();
      await inject(victim, fault);
      return { ...fault, begun, ended: Date.now() };
    }),
  );
  victim.network.heal();
  victim.receiver.answers.length = 0;
  await victim.sandbox.clearFaults();
  return done;
};
