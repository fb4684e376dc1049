import type { LeftOutList, ResultWithWarnings, RunResult } from '@stanza/engine';

/** Runs of a digest at most. A run that is too much takes some ten milliseconds, and finding an event takes several. */
const maxRuns = 24;

/** A run over some of the events, by their places. */
interface Tried<Result> {
  readonly shown: readonly number[];
  readonly result: Result;
}

const isSpent = ({ result }: Tried<RunResult>): boolean =>
  !result.ok &&
  result.problems.some(({ rule, limit }) => rule === 'budget' || limit === 'engine.output_bytes');

/** The shortest list of the first events that is too much, and the longest tried one that is not. */
interface Bounds<Result> {
  spent: number;
  fits: number;
  best: Tried<Result> | undefined;
}

/** Narrows the bounds down to one event: with steps that double from where it fits, then by halves. */
const narrow = <Result extends RunResult>(
  bounds: Bounds<Result>,
  attempt: (length: number) => Tried<Result> | undefined,
): void => {
  for (let step = 1; bounds.spent - bounds.fits > 1; step *= 2) {
    const middle = (bounds.fits + bounds.spent) >> 1;
    const length = Math.min(bounds.fits + step, middle);
    const tried = attempt(length);
    if (tried === undefined) return;
    if (isSpent(tried)) {
      bounds.spent = length;
      step = Number.POSITIVE_INFINITY;
    } else {
      bounds.fits = length;
      bounds.best = tried;
    }
  }
};

/**
 * The run over as many events as can be made. An event that is too much alone is left out; where all together are too
 * much, the last ones are.
 */
const fitEvents = <Result extends RunResult>(
  count: number,
  run: (shown: readonly number[]) => Result,
): Tried<Result> => {
  let runs = 0;
  const attempt = (shown: readonly number[]): Tried<Result> | undefined => {
    if (runs === maxRuns) return undefined;
    runs += 1;
    return { shown, result: run(shown) };
  };
  let rest = Array.from({ length: count }, (_, at) => at);
  let whole: Tried<Result> = { shown: rest, result: run(rest) };
  const bounds: Bounds<Result> = { spent: count, fits: 0, best: undefined };
  while (isSpent(whole) && rest.length > 0) {
    bounds.spent = rest.length;
    narrow(bounds, (length) => attempt(rest.slice(0, length)));
    const { spent, fits, best } = bounds;
    const [one] = rest.slice(spent - 1, spent);
    const alone = spent - fits > 1 || one === undefined || fits === 0 ? undefined : attempt([one]);
    const isOdd = fits === 0 ? spent === 1 : alone !== undefined && isSpent(alone);
    const others = rest.filter((at) => at !== one);
    const next = isOdd ? attempt(others) : undefined;
    if (next === undefined) return best ?? whole;
    rest = others;
    whole = next;
  }
  return whole;
};

/** Paths of a run over some of the events, with the places that they have among all. */
const amongAll = (text: string, shown: readonly number[]): string =>
  text.replaceAll(/\bevents\[(\d+)\]/g, (path, at: string) => {
    const place = shown[Number(at)];
    return place === undefined ? path : `events[${place}]`;
  });

const notesOf = (shown: readonly number[], count: number): LeftOutList => {
  const there = new Set(shown);
  const gone = Array.from({ length: count }, (_, at) => at).filter((at) => !there.has(at));
  const last = shown.at(-1) ?? -1;
  const end = gone.filter((at) => at > last);
  const single = end.length > 1 && shown.length > 0 ? gone.filter((at) => at < last) : gone;
  const note = (path: string, message: string) =>
    ({ pointer: '', rule: 'entry.left_out', path, message }) as const;
  const entries = single.map((at) =>
    note(`events[${at}]`, `\`events[${at}]\` is left out: with it the template does more than it may.`),
  );
  if (single.length < gone.length) {
    const message = `the last ${end.length} of ${count} events are left out: with them the template does more than it may.`;
    entries.push(note('events', message));
  }
  return { count: gone.length, entries };
};

const movedTo = (shown: readonly number[], entries: LeftOutList['entries']): LeftOutList['entries'] =>
  entries.map(({ path, message, ...entry }) => ({
    ...entry,
    message: amongAll(message, shown),
    ...(path !== undefined && { path: amongAll(path, shown) }),
  }));

/**
 * Makes a digest of its events, without those that are more work than a run may do.
 *
 * @param run runs the template over the events of these places
 */
export const runDigest = (count: number, run: (shown: readonly number[]) => RunResult): RunResult => {
  const { shown, result } = fitEvents(count, run);
  if (!result.ok || shown.length === count) return result;
  const notes = notesOf(shown, count);
  const { count: more = 0, entries = [] } = result.leftOut ?? {};
  const moved = movedTo(shown, entries);
  const warnings = result.warnings.map((warning) => amongAll(warning, shown));
  return {
    ...result,
    warnings: [...notes.entries.map(({ message }) => message), ...warnings],
    leftOut: { count: notes.count + more, entries: [...notes.entries, ...moved] },
  };
};

/** The result of a digest with its notes, with the events that {@link runDigest} shows. */
export const digestWithWarnings = (
  count: number,
  run: (shown: readonly number[]) => ResultWithWarnings,
): ResultWithWarnings => {
  const { shown, result } = fitEvents(count, run);
  if (!result.ok || shown.length === count) return result;
  const notes = notesOf(shown, count);
  const { warningList } = result;
  const first = [...notes.entries, ...movedTo(shown, warningList.first)];
  return { ...result, warningList: { count: notes.count + warningList.count, first } };
};
