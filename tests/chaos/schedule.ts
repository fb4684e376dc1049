import { type ServiceName, serviceNames } from '@stanza/contracts';
import type { Footing } from '@stanza/local';
import type { ClockMode, Fault, Harm, NodeHarm, PlatformMode, PostgresHarm } from './fault.ts';
import { SeededRandom } from './random.ts';

/** How many processes of each service run. */
export const replicas = 2;

/** Names of all processes of the services. */
export const processNames: readonly string[] = serviceNames.flatMap((service) =>
  Array.from({ length: replicas }, (_, at) => (at === 0 ? service : `${service}-${at + 1}`)),
);

/** A fault of a draw; `afterMs` where it begins later than the first of them. */
export type Drawn = Pick<Fault, 'harm' | 'lastsMs'> & { afterMs?: number };

type Draw = (random: SeededRandom) => Drawn | [Drawn, ...Drawn[]];

/** Longer than any lease, and than the deadline of any request. */
const longFreezeMs = 40_000;

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

const longFreeze: Draw = (random) => ({
  harm: { kind: 'long freeze', process: anyProcess(random) },
  lastsMs: longFreezeMs,
});

/** A sender that wakes while another one posts what it held: the platform is slow by then. */
const longFreezeOfSender: Draw = (random) => [
  {
    harm: { kind: 'long freeze', process: replicaOf(random, 'delivery') },
    lastsMs: random.whole(33_000, longFreezeMs),
  },
  {
    harm: { kind: 'platform', mode: 'latency', value: 9_500, times: 60 },
    lastsMs: 0,
    afterMs: random.whole(24_000, 32_000),
  },
];

/** The services that write times which another process reads have more than their share. */
const clocked = [...serviceNames, 'queue-ingest', 'queue-ingest', 'delivery', 'delivery'] as const;

const clockOf = (random: SeededRandom): string =>
  replicaOf(random, random.pick([clocked[0], ...clocked.slice(1)]));

const clock =
  (mode: Exclude<ClockMode, 'steps back'>, milliseconds: number): Draw =>
  (random) => ({
    harm: { kind: 'clock', mode, process: clockOf(random), offsetMs: random.pick([1, -1]) * milliseconds },
    lastsMs: random.whole(10_000, 25_000),
  });

const stepBack: Draw = (random) => ({
  harm: {
    kind: 'clock',
    mode: 'steps back',
    process: clockOf(random),
    offsetMs: random.whole(1_000, 60_000),
    thenMs: random.whole(-5_000, 0),
  },
  lastsMs: random.whole(10_000, 25_000),
});

const silence =
  (to: 'nats' | 'postgres'): Draw =>
  (random) => ({
    harm: { kind: 'silence', process: anyProcess(random), to },
    lastsMs: random.whole(20_000, 40_000),
  });

const postgres =
  (kind: PostgresHarm): Draw =>
  (random) => ({ harm: { kind }, lastsMs: random.whole(2_000, 6_000) });

const longReader: Draw = (random) => ({
  harm: { kind: 'long reader', process: replicaOf(random, 'queue-ingest') },
  lastsMs: random.whole(15_000, 35_000),
});

const killNats = atOnce({ kind: 'kill NATS' });
const stopNats = atOnce({ kind: 'stop NATS' });

/** One of every kind that is over within seconds. */
const brief: readonly Draw[] = [
  ...serviceNames.map(kill),
  terminate,
  freeze,
  killNats,
  stopNats,
  atOnce({ kind: 'restart Postgres, fast' }),
  atOnce({ kind: 'restart Postgres, immediate' }),
  postgres('read-only Postgres'),
  postgres('no free connections'),
  postgres('locked accounts'),
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

/** One of every kind that lasts. */
const lasting: readonly Draw[] = [
  longFreeze,
  clock('off by 5 ms', 5),
  clock('off by 2 s', 2_000),
  clock('off by 60 s', 60_000),
  clock('off by 400 days', 400 * 86_400_000),
  stepBack,
  silence('nats'),
  silence('postgres'),
  longReader,
];

/** How many NATS servers a cluster has. */
export const natsNodes = 3;

const node =
  (kind: NodeHarm, minMs: number, maxMs: number): Draw =>
  (random) => ({
    harm: { kind, node: random.whole(0, natsNodes - 1) },
    lastsMs: random.whole(minMs, maxMs),
  });

/** What a deck for a cluster holds besides: its servers of NATS, of which two may be away at once, and its pooler. */
const ofCluster: readonly Draw[] = [
  node('NATS node away', 2_000, 10_000),
  node('NATS node away', 2_000, 10_000),
  node('NATS node frozen', 4_000, 30_000),
  atOnce({ kind: 'kill pgbouncer' }),
];

/** A cluster has no other server of NATS than its nodes. */
const isOfStack = (fault: Draw): boolean => fault === killNats || fault === stopNats;

/** What a deck holds besides one of each: what finds most. */
const besides: readonly Draw[] = [
  longFreezeOfSender,
  clock('off by 2 s', 2_000),
  clock('off by 60 s', 60_000),
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
  /** True where a cluster is broken: its nodes too, and in the middle its primary for good. */
  isCluster?: boolean;
}

/**
 * Draws faults from decks that hold every kind, so that none is left out by chance. The same seed gives the same
 * faults at the same times.
 */
export const makeSchedule = ({ seed, durationMs, everyMs, isCluster = false }: ScheduleOptions): Fault[] => {
  const whole = [...brief, ...lasting, ...besides];
  const cards = isCluster ? [...whole.filter((it) => !isOfStack(it)), ...ofCluster] : whole;
  const random = new SeededRandom(seed);
  const failover = { at: durationMs / 2, harm: { kind: 'failover' }, lastsMs: 0 } as const;
  const drawn: Omit<Fault, 'id'>[] = isCluster ? [failover] : [];
  let deck: Draw[] = [];
  for (let at = 0; at <= durationMs; at += Math.round(everyMs * (0.5 + random.next()))) {
    if (deck.length === 0) deck = random.shuffled(cards);
    const draw = deck.pop();
    if (draw) drawn.push(...begunAt(at, draw(random)));
  }
  return inOrder(drawn.filter(({ at }) => at <= durationMs));
};

const begunAt = (at: number, drawn: Drawn | readonly Drawn[]): Omit<Fault, 'id'>[] =>
  [drawn].flat().map(({ afterMs = 0, ...fault }) => ({ at: at + afterMs, ...fault }));

const inOrder = (faults: readonly Omit<Fault, 'id'>[]): Fault[] =>
  faults.toSorted((one, other) => one.at - other.at).map((fault, at) => ({ id: at + 1, ...fault }));

type ShortScheduleOptions = Pick<ScheduleOptions, 'seed' | 'everyMs'>;

/** Every kind once: those that last first, so that the others happen in the meantime. */
export const makeShortSchedule = ({ seed, everyMs }: ShortScheduleOptions): Fault[] => {
  const random = new SeededRandom(seed);
  const [longest, ...others] = lasting;
  const draws = [...(longest ? [longest] : []), ...random.shuffled(others), ...random.shuffled(brief)];
  return inOrder(draws.flatMap((draw, at) => begunAt(at * everyMs, draw(random))));
};

/** Brief faults of a schedule for a planted bug: enough for lost answers, few enough to be over soon. */
const briefOfPlanted = 6;

/** Some brief faults, and those that a planted bug needs to show itself. */
export const makePlantedSchedule = (
  { seed, everyMs }: ShortScheduleOptions,
  needed: readonly Drawn[],
): Fault[] => {
  const random = new SeededRandom(seed);
  const draws = random.shuffled(brief).slice(0, briefOfPlanted);
  return inOrder([
    ...begunAt(0, needed),
    ...draws.flatMap((draw, at) => begunAt(at * everyMs, draw(random))),
  ]);
};
