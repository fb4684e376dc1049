import { median } from '../figures.ts';
import type { Sample } from './sample.ts';

/** What the samples say of one thing that should stay flat. */
export interface Verdict {
  what: string;
  before: string;
  after: string;
  /** After to before. */
  ratio: number;
  limit: number;
  holds: boolean;
}

type Text = (value: number) => string;

const plain: Text = (value) => String(Math.round(value));
const mebibyte = 1_048_576;
const mebibytes: Text = (value) => `${(value / mebibyte).toFixed(1)} MiB`;
const bytesEach: Text = (value) => `${Math.round(value)} B a request`;

/** Changes too small to count as growth: one connection, a page of memory. */
interface Scale {
  limit: number;
  /** A difference of so much is none, whatever the ratio. */
  slack: number;
  text: Text;
}

const verdict = (what: string, before: number, after: number, { limit, slack, text }: Scale): Verdict => {
  const ratio = before === 0 ? (after === 0 ? 1 : Number.POSITIVE_INFINITY) : after / before;
  const holds = ratio <= limit || after - before <= slack;
  return { what, before: text(before), after: text(after), ratio, limit, holds };
};

/**
 * Samples of which the middle counts, at the beginning and at the end: one of them alone may be taken at a bad moment.
 */
const maxNeighbours = 3;

const middleOf = (samples: readonly Sample[], read: (sample: Sample) => number): number =>
  median(samples.map(read));

/** Settled samples and the last ones. */
interface Span {
  before: readonly Sample[];
  after: readonly Sample[];
}

const leastOf: typeof middleOf = (samples, read) => Math.min(...samples.map(read));

const one = (
  { before, after }: Span,
  what: string,
  read: (sample: Sample) => number,
  scale: Scale,
  ofSeveral = middleOf,
): Verdict => verdict(what, ofSeveral(before, read), ofSeveral(after, read), scale);

const eachOf = (
  span: Span,
  what: string,
  read: (sample: Sample) => Record<string, number>,
  scale: Scale,
  ofSeveral = middleOf,
): Verdict[] =>
  [...new Set(span.after.flatMap((sample) => Object.keys(read(sample))))].map((name) =>
    one(span, `${what} of ${name}`, (sample) => read(sample)[name] ?? 0, scale, ofSeveral),
  );

/** Bytes for each request that was answered between two samples. */
const each = (from: Sample, to: Sample, read: (sample: Sample) => number): number =>
  (read(to) - read(from)) / Math.max(to.requests - from.requests, 1);

const memoryScale: Scale = { limit: 1.1, slack: 4 * mebibyte, text: mebibytes };
/**
 * What the system counts of a Node process moves by a quarter while its heap stays: the gateway's went from 245 to 170
 * MiB in one half-hour, and from 224 to 254 in the next.
 */
const processScale: Scale = { ...memoryScale, limit: 1.25 };
/**
 * A process with little to do collects all of its garbage once in 106 s, so not each minute shows what is left of it:
 * the least of three does. What leaks in JavaScript shows here.
 */
const heapScale: Scale = { ...memoryScale, slack: 8 * mebibyte };
const countScale: Scale = { limit: 1.1, slack: 3, text: plain };
/**
 * Pools open a few more when several requests meet, and close them again; that is no leak before all pools are full.
 */
const connectionScale: Scale = { ...countScale, slack: 10 };
/**
 * A table holds what came between two runs of the job that forgets, and what vacuum has freed is used again. One from
 * which nothing goes has grown by half in the last third of half an hour.
 */
const tableScale: Scale = { ...memoryScale, limit: 1.2, slack: mebibyte };
/** Tables that hold less hardly take part in the load; one from which nothing goes is soon larger. */
const isJudged = ([, bytes]: [string, number]): boolean => bytes > mebibyte;
const diskScale: Scale = { limit: 1.2, slack: 200, text: bytesEach };

const without = (values: Record<string, number>, ...left: string[]): Record<string, number> =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !left.includes(name)));

/**
 * The memory of processes next to the most that each had in the first half: Node gives back what it has collected when
 * it likes, so that a process may stand below it for minutes. The sandbox keeps the newest messages, and is left out.
 */
const memoryVerdicts = (settled: readonly Sample[], { after }: Span): Verdict[] => {
  const half = settled.slice(0, Math.ceil(settled.length / 2));
  const readable = (sample: Sample) => without(sample.memory, 'postgres', 'sandbox');
  return [...new Set(after.flatMap((sample) => Object.keys(readable(sample))))].map((name) => {
    const of = (sample: Sample): number => readable(sample)[name] ?? 0;
    return verdict(`memory of ${name}`, Math.max(...half.map(of)), middleOf(after, of), processScale);
  });
};

const diskVerdicts = (samples: readonly Sample[]): Verdict[] => {
  const [first, middle, last] = [samples[0], samples[samples.length >> 1], samples.at(-1)];
  if (first === undefined || middle === undefined || last === undefined || samples.length < 3) return [];
  const growth = (from: Sample, to: Sample) =>
    Math.max(
      each(from, to, (it) => it.database),
      0,
    );
  return [verdict('growth of the database', growth(first, middle), growth(middle, last), diskScale)];
};

/** Reads the tables that hold something at the end. */
const judgedTables = (last: Sample | undefined) => {
  const names = Object.entries(last?.forgotten ?? {})
    .filter(isJudged)
    .map(([name]) => name);
  return ({ forgotten }: Sample): Record<string, number> =>
    Object.fromEntries(names.map((name) => [name, forgotten[name] ?? 0]));
};

/** From which minute on something is expected to stay as it is. */
export interface Settling {
  /** Caches are warm, pools are open, and code is compiled. */
  load: number;
  /** Each job has run once: its own statements and series exist, and further runs add none. */
  jobs: number;
  /**
   * Jobs have forgotten twice: tables are as large as what comes between two runs makes them. Undefined in a short run.
   */
  tables: number | undefined;
}

const spanFrom = (samples: readonly Sample[], minutes: number): Span => {
  const settled = samples.filter((it) => it.minutes >= minutes);
  if (settled.length < 2) throw new RangeError('There is nothing to compare: the load was too short.');
  const neighbours = Math.min(maxNeighbours, settled.length >> 1);
  return { before: settled.slice(0, neighbours), after: settled.slice(-neighbours) };
};

/**
 * Compares the last samples with those when the load had settled. Disk grows with what is accepted; there it is the
 * growth for each request that stays, in the last half as in the first. Postgres has a process for each connection,
 * so what it holds is set next to their number.
 */
export const verdictsOf = (samples: readonly Sample[], settling: Settling): Verdict[] => {
  const span = spanFrom(samples, settling.load);
  const afterJobs = spanFrom(samples, settling.jobs);
  const settled = samples.filter((it) => it.minutes >= settling.load);
  const forgotten = settling.tables === undefined ? undefined : spanFrom(samples, settling.tables);
  const perConnection = (read: (sample: Sample) => Record<string, number>) => (sample: Sample) =>
    (read(sample).postgres ?? 0) / Math.max(sample.connections, 1);
  const memoryEach = perConnection((it) => it.memory);
  const filesEach = perConnection((it) => it.files);
  return [
    ...memoryVerdicts(settled, span),
    one(span, 'memory of a connection to postgres', memoryEach, { ...memoryScale, slack: mebibyte / 2 }),
    ...eachOf(span, 'heap', (it) => it.heap, heapScale, leastOf),
    ...eachOf(span, 'open files', (it) => without(it.files, 'postgres'), countScale),
    one(span, 'open files of a connection to postgres', filesEach, { ...countScale, slack: 10 }),
    ...eachOf(afterJobs, 'statements', (it) => it.statements, countScale),
    ...eachOf(afterJobs, 'series', (it) => it.series, { ...countScale, limit: 1.05, slack: 20 }),
    one(span, 'connections to the database', (it) => it.connections, connectionScale),
    ...(forgotten ? eachOf(forgotten, 'bytes', judgedTables(samples.at(-1)), tableScale) : []),
    ...diskVerdicts(settled),
  ];
};
