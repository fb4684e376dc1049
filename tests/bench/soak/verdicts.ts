import type { Sample } from './sample.ts';

/** What the samples say of one thing that should stay flat. */
export interface Verdict {
  what: string;
  then: string;
  now: string;
  /** Now to then. */
  ratio: number;
  limit: number;
  holds: boolean;
}

type Text = (value: number) => string;

const plain: Text = (value) => String(Math.round(value));
const mebibytes: Text = (value) => `${(value / 1_048_576).toFixed(1)} MiB`;
const bytesEach: Text = (value) => `${Math.round(value)} B a request`;

/** What nobody would call growth: a connection more, a page of memory. */
interface Scale {
  limit: number;
  /** A difference of so much is none, whatever the ratio. */
  slack: number;
  text: Text;
}

const verdict = (what: string, then: number, now: number, { limit, slack, text }: Scale): Verdict => {
  const ratio = then === 0 ? (now === 0 ? 1 : Number.POSITIVE_INFINITY) : now / then;
  const holds = ratio <= limit || now - then <= slack;
  return { what, then: text(then), now: text(now), ratio, limit, holds };
};

const eachOf = (
  what: string,
  then: Record<string, number>,
  now: Record<string, number>,
  scale: Scale,
): Verdict[] =>
  Object.entries(now).map(([name, value]) => verdict(`${what} of ${name}`, then[name] ?? 0, value, scale));

/** Bytes for each request that was answered between two samples. */
const each = (from: Sample, to: Sample, read: (sample: Sample) => number): number =>
  (read(to) - read(from)) / Math.max(to.requests - from.requests, 1);

const memoryScale: Scale = { limit: 1.1, slack: 4 * 1_048_576, text: mebibytes };
const countScale: Scale = { limit: 1.1, slack: 3, text: plain };
const diskScale: Scale = { limit: 1.2, slack: 200, text: bytesEach };

/**
 * Compares the last sample with the one at which the load had settled. Disk grows with what is accepted; there it is
 * the growth for each request that stays, in the last half as in the first.
 */
export const verdictsOf = (samples: readonly Sample[], settledMinutes: number): Verdict[] => {
  const settled = samples.find((it) => it.minutes >= settledMinutes);
  const last = samples.at(-1);
  if (settled === undefined || last === undefined || settled === last)
    throw new RangeError('There is nothing to compare: the load was too short.');
  const middle = samples[Math.floor((samples.indexOf(settled) + samples.length - 1) / 2)] ?? settled;
  const database = ({ database: bytes }: Sample) => bytes;
  const growth = (from: Sample, to: Sample) => Math.max(each(from, to, database), 0);
  return [
    ...eachOf('memory', settled.memory, last.memory, memoryScale),
    ...eachOf('heap', settled.heap, last.heap, memoryScale),
    ...eachOf('open files', settled.files, last.files, countScale),
    ...eachOf('statements', settled.statements, last.statements, countScale),
    ...eachOf('series', settled.series, last.series, { ...countScale, limit: 1.05, slack: 20 }),
    verdict('connections to the database', settled.connections, last.connections, countScale),
    verdict('files of JetStream', settled.jetstream, last.jetstream, {
      ...memoryScale,
      slack: 16 * 1_048_576,
    }),
    ...(middle === settled || middle === last
      ? []
      : [verdict('growth of the database', growth(settled, middle), growth(middle, last), diskScale)]),
  ];
};
