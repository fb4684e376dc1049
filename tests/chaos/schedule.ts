import { type ServiceName, serviceNames } from '@stanza/contracts';
import type { Footing } from '@stanza/stack';
import { SeededRandom } from './random.ts';

/** How many processes of each service run. */
export const replicas = 2;

/** Names of all processes of the services. */
export const processNames: readonly string[] = serviceNames.flatMap((service) =>
  Array.from({ length: replicas }, (_, at) => (at === 0 ? service : `${service}-${at + 1}`)),
);

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

/** What is done to the system. */
export type Harm =
  | { kind: 'kill' | 'terminate' | 'freeze'; process: string }
  | { kind: 'kill NATS' | 'stop NATS' }
  | { kind: 'restart Postgres, fast' | 'restart Postgres, immediate' }
  | { kind: 'platform'; mode: PlatformMode; value?: number; times: number }
  | { kind: 'receiver fails'; times: number }
  | { kind: 'network'; mode: NetworkMode; process: string; to: Footing; delayMs?: number };

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
  if ('process' in harm) return `${harm.kind} ${serviceOf(harm.process)}`;
  return harm.kind;
};

/** What a fault is done to, in words. */
export const wordsOf = ({ harm, lastsMs }: Fault): string => {
  const target = 'process' in harm ? ` of ${harm.process}` : '';
  const more = 'times' in harm ? `, ${harm.times} times` : '';
  return `${kindOf(harm)}${target}${more}${lastsMs > 0 ? ` for ${(lastsMs / 1_000).toFixed(1)} s` : ''}`;
};

/** The service that a process belongs to. */
export const serviceOf = (process: string): string => process.replace(/-\d+$/, '');

type Draw = (random: SeededRandom) => Pick<Fault, 'harm' | 'lastsMs'>;

const replicaOf = (random: SeededRandom, service: ServiceName): string =>
  random.whole(1, replicas) === 1 ? service : `${service}-${random.whole(2, replicas)}`;

const anyProcess = (random: SeededRandom): string => replicaOf(random, random.pick(serviceNames));

const atOnce =
  (harm: Harm): Draw =>
  () => ({ harm, lastsMs: 0 });

const kill =
  (service: ServiceName): Draw =>
  (random) => ({
    harm: { kind: 'kill', process: replicaOf(random, service) },
    lastsMs: 0,
  });

const terminate: Draw = (random) => ({
  harm: { kind: 'terminate', process: anyProcess(random) },
  lastsMs: 0,
});

const freeze: Draw = (random) => ({
  harm: { kind: 'freeze', process: anyProcess(random) },
  lastsMs: random.whole(1_000, 8_000),
});

const platform =
  (mode: PlatformMode, value?: (random: SeededRandom) => number): Draw =>
  (random) => ({
    harm: { kind: 'platform', mode, times: random.whole(2, 6), ...(value ? { value: value(random) } : {}) },
    lastsMs: 0,
  });

const receiver: Draw = (random) => ({
  harm: { kind: 'receiver fails', times: random.whole(2, 8) },
  lastsMs: 0,
});

const cut =
  (mode: 'partition' | 'half-open', to: Footing): Draw =>
  (random) => ({
    harm: {
      kind: 'network',
      mode,
      to,
      process: to === 'sandbox' ? replicaOf(random, 'delivery') : anyProcess(random),
    },
    lastsMs: random.whole(2_000, 8_000),
  });

const slow: Draw = (random) => ({
  harm: {
    kind: 'network',
    mode: 'slow',
    to: random.pick(['nats', 'postgres']),
    process: anyProcess(random),
    delayMs: random.whole(20, 200),
  },
  lastsMs: random.whole(2_000, 8_000),
});

const reset: Draw = (random) => ({
  harm: {
    kind: 'network',
    mode: 'reset',
    to: random.pick(['nats', 'postgres']),
    process: anyProcess(random),
  },
  lastsMs: 0,
});

/** One of every kind. */
const each: readonly Draw[] = [
  ...serviceNames.map(kill),
  terminate,
  freeze,
  atOnce({ kind: 'kill NATS' }),
  atOnce({ kind: 'stop NATS' }),
  atOnce({ kind: 'restart Postgres, fast' }),
  atOnce({ kind: 'restart Postgres, immediate' }),
  platform('latency', (random) => random.whole(500, 9_000)),
  platform('rate_limited', (random) => random.whole(0, 2)),
  platform('status', (random) => random.pick([500, 502, 503])),
  platform('reset_before'),
  platform('reset_after'),
  platform('silence_before'),
  platform('silence_after'),
  receiver,
  cut('partition', 'nats'),
  cut('partition', 'postgres'),
  cut('partition', 'sandbox'),
  cut('half-open', 'nats'),
  cut('half-open', 'postgres'),
  slow,
  reset,
];

/** What a deck holds besides one of each: what finds most. */
const besides: readonly Draw[] = [
  freeze,
  freeze,
  cut('partition', 'nats'),
  cut('partition', 'postgres'),
  reset,
  slow,
];

/** How a schedule is made. */
export interface ScheduleOptions {
  seed: number;
  /** From the first fault to the last. */
  durationMs: number;
  /** Mean of the time between two. */
  everyMs: number;
}

/**
 * Draws faults from decks that hold every kind, so that none is left out by chance. The same seed gives the same
 * faults at the same times.
 */
export const makeSchedule = ({ seed, durationMs, everyMs }: ScheduleOptions): Fault[] => {
  const random = new SeededRandom(seed);
  const faults: Fault[] = [];
  let deck: Draw[] = [];
  for (let at = 0; at <= durationMs; at += Math.round(everyMs * (0.5 + random.next()))) {
    if (deck.length === 0) deck = random.shuffled([...each, ...besides]);
    const draw = deck.pop();
    if (draw) faults.push({ id: faults.length + 1, at, ...draw(random) });
  }
  return faults;
};

/** Every kind once, in any order. */
export const makeShortSchedule = ({ seed, everyMs }: Pick<ScheduleOptions, 'seed' | 'everyMs'>): Fault[] => {
  const random = new SeededRandom(seed);
  return random.shuffled(each).map((draw, at) => ({ id: at + 1, at: at * everyMs, ...draw(random) }));
};
