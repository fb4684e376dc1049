import type { Footing } from '@stanza/local';

/** How the chat platform misbehaves. */
export type PlatformMode =
  | 'latency'
  | 'rate_limited'
  | 'status'
  | 'reset_before'
  | 'reset_after'
  | 'silence_before'
  | 'silence_after';

/** How a way between a process and what it stands on is broken. */
export type NetworkMode = 'partition' | 'half-open' | 'slow' | 'reset';

/** How the clock of a process is wrong. */
export type ClockMode = 'off by 5 ms' | 'off by 2 s' | 'off by 60 s' | 'off by 400 days' | 'steps back';

/** What is done to Postgres while it runs. */
export type PostgresHarm = 'read-only Postgres' | 'no free connections' | 'locked accounts';

/** What is done to one of three NATS servers. */
export type NodeHarm = 'NATS node away' | 'NATS node frozen';

/** What is done to the system. */
export type Harm =
  | { kind: 'kill' | 'terminate'; process: string }
  | { kind: 'freeze' | 'long freeze'; process: string }
  /** Off by this many milliseconds; where it steps back, by another number from the half of the time on. */
  | { kind: 'clock'; mode: ClockMode; process: string; offsetMs: number; thenMs?: number }
  /** A transaction that has read the events stays open while the process makes and drops partitions. */
  | { kind: 'long reader'; process: string }
  | { kind: 'kill NATS' | 'stop NATS' }
  /** One of the servers of a cluster. */
  | { kind: NodeHarm; node: number }
  | { kind: 'kill pgbouncer' | 'failover' }
  | { kind: 'restart Postgres, fast' | 'restart Postgres, immediate' }
  | { kind: PostgresHarm }
  | { kind: 'platform'; mode: PlatformMode; value?: number; times: number }
  | { kind: 'receiver fails'; times: number }
  | { kind: 'network'; mode: NetworkMode; process: string; to: Footing; delayMs?: number }
  | { kind: 'silence'; process: string; to: Footing };

/** A fault with its time, in milliseconds since the first. */
export interface Fault {
  id: number;
  at: number;
  /** How long it lasts; 0 for what is over at once. */
  lastsMs: number;
  harm: Harm;
}

/** What a fault is counted as. */
export const kindOf = (harm: Harm): string => {
  if (harm.kind === 'platform') return `platform: ${harm.mode.replaceAll('_', ' ')}`;
  if (harm.kind === 'network') return `network: ${harm.mode} (${harm.to})`;
  if (harm.kind === 'clock') return `clock ${harm.mode}`;
  if (harm.kind === 'silence') return `network: silence (${harm.to})`;
  if (harm.kind === 'long reader') return harm.kind;
  if ('node' in harm) return harm.kind;
  if ('process' in harm) return `${harm.kind} ${serviceOf(harm.process)}`;
  return harm.kind;
};

const clockWords = ({ offsetMs, thenMs }: Extract<Harm, { kind: 'clock' }>): string =>
  [offsetMs, ...(thenMs === undefined ? [] : [thenMs])].map((it) => `${it} ms`).join(', then ');

/** What a fault is done to, in words. */
export const wordsOf = ({ harm, lastsMs }: Fault): string => {
  const target = 'process' in harm ? ` of ${harm.process}` : 'node' in harm ? ` nats-${harm.node}` : '';
  const more =
    'times' in harm ? `, ${harm.times} times` : harm.kind === 'clock' ? `, ${clockWords(harm)}` : '';
  return `${kindOf(harm)}${target}${more}${lastsMs > 0 ? ` for ${(lastsMs / 1_000).toFixed(1)} s` : ''}`;
};

/** The service that a process belongs to. */
export const serviceOf = (process: string): string => process.replace(/-\d+$/, '');
