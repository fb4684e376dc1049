import { Cron } from 'croner';
import { LRUCache } from 'lru-cache';

/** When a scheduled message is sent: at one time, or whenever the local time of a zone fits a cron. */
export interface Timing {
  send_at: Date | null;
  cron: string | null;
  timezone: string | null;
}

/** What is to be done about a scheduled message of which a run is due. */
export interface DuePlan {
  /** The run that is sent now. */
  run: Date | undefined;
  /** The first of the runs that were missed and are not made up for. */
  skipped: Date | undefined;
  /** The run after these; null when there is none. */
  next: Date | null;
}

/**
 * Milliseconds after its time within which a run is still sent as if on time; one that could not begin within them was
 * missed. Long enough for a restart, short enough that nobody wonders why the message comes now.
 */
export const onTimeMs = 5 * 60_000;

/** Longer than any clock was ever put back. */
const longestShiftMs = 3 * 3_600_000;

const fiveFields = /^\S+ \S+ \S+ \S+ \S+$/;
const nickname = /^@[a-z]+$/;

const zoneOf = ({ timezone }: Timing): string => timezone ?? 'UTC';

/**
 * Reads a cron. A list or a range of hours is a fixed time as a single one is, so that what falls into the hour that a
 * clock skips is made up for right after it.
 */
const read = (cron: string, timezone: string): Cron =>
  new Cron(cron, { timezone, mode: '5-part', fixedTimeRule: 'no-wildcard', paused: true });

const form =
  'write five fields with one space between: minute, hour, day of the month, month, day of the week, as `0 9 * * 1-5`';

/** What is wrong with a cron, for whoever wrote it; undefined when it can be read. */
export const cronProblem = (cron: string, timezone: string): string | undefined => {
  // The library would read a time for a cron, and a question mark as the moment at which it is read.
  if ((!fiveFields.test(cron) && !nickname.test(cron)) || cron.includes('?')) return form;
  try {
    read(cron, timezone);
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return `${message.replace(/^CronPattern: /, '')}; ${form}`;
  }
};

/** As many as there are zones; their names come in any case, so that there is no end to their spellings. */
const wallClocks = new LRUCache<string, Intl.DateTimeFormat>({ max: 500 });

const wallClockIn = (timezone: string): Intl.DateTimeFormat => {
  const known = wallClocks.get(timezone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  });
  wallClocks.set(timezone, made);
  return made;
};

/** Milliseconds by which a zone is ahead of UTC at a moment on a whole minute. */
const aheadMs = (timezone: string, at: Date): number => {
  const dependencies = new Map(
    wallClockIn(timezone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (name: Intl.DateTimeFormatPartTypes): number => dependencies.get(name) ?? 0;
  const local = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'));
  return local - at.getTime();
};

/** True when clocks have shown the same local time before, because they were put back in between. */
const isRepeated = (timezone: string, at: Date): boolean => {
  const now = aheadMs(timezone, at);
  const putBack = aheadMs(timezone, new Date(at.getTime() - longestShiftMs)) - now;
  return putBack > 0 && aheadMs(timezone, new Date(at.getTime() - putBack)) - now === putBack;
};

/** The first run after a moment; null when there is none. */
export const nextRun = (timing: Timing, after: Date): Date | null => {
  if (timing.send_at !== null) return timing.send_at > after ? timing.send_at : null;
  const zone = zoneOf(timing);
  const cron = read(timing.cron ?? '', zone);
  let run = cron.nextRun(after);
  while (run && isRepeated(zone, run)) run = cron.nextRun(run);
  return run;
};

/** The first runs after a moment, as many as there are and are asked for. */
export const nextRuns = (timing: Timing, after: Date, count: number): Date[] => {
  const runs: Date[] = [];
  let run = nextRun(timing, after);
  while (run && runs.length < count) {
    runs.push(run);
    run = nextRun(timing, run);
  }
  return runs;
};

/** The last run up to a moment, of those from `first` on, which is one. */
const lastRun = (timing: Timing, first: Date, until: Date): Date => {
  if (timing.cron === null) return first;
  const zone = zoneOf(timing);
  const cron = read(timing.cron, zone);
  // The moment itself counts, which the library leaves out.
  let [run] = cron.previousRuns(1, new Date(until.getTime() + 1_000));
  while (run && (run > until || isRepeated(zone, run))) [run] = cron.previousRuns(1, run);
  return run && run > first ? run : first;
};

/**
 * Decides about a scheduled message whose run `first` is due. Of several that are due only the last one is sent: nobody
 * wants a row of the same message. It is sent when it is on time, or when what was missed is to be caught up on.
 */
export const planDue = (timing: Timing & { catch_up: boolean }, first: Date, now: Date): DuePlan => {
  const last = lastRun(timing, first, now);
  const isSent = timing.catch_up || now.getTime() - last.getTime() <= onTimeMs;
  return {
    run: isSent ? last : undefined,
    skipped: isSent && last.getTime() === first.getTime() ? undefined : first,
    next: nextRun(timing, now),
  };
};

/** Milliseconds for which a run to be caught up on is retried after transient errors. */
const patienceMs = 24 * 3_600_000;
/** Milliseconds that every run is tried for, however soon the next one is. */
const leastMs = 60_000;

/** Until when a run is retried after transient errors: the next run takes its place. */
export const giveUpAt = ({ catch_up }: { catch_up: boolean }, plan: DuePlan, now: Date): Date => {
  const from = catch_up ? now.getTime() + patienceMs : (plan.run ?? now).getTime() + onTimeMs;
  const until = Math.min(from, plan.next?.getTime() ?? from);
  return new Date(Math.max(until, now.getTime() + leastMs));
};
