import { Cron } from 'croner';
import { LRUCache } from 'lru-cache';

/** When a scheduled message is sent: once at a time, or at each local time that matches a cron. */
export interface Timing {
  send_at: Date | null;
  cron: string | null;
  timezone: string | null;
}

/** The decision on a scheduled message with a due run. */
export interface DuePlan {
  /** The run to send now. */
  run: Date | undefined;
  /** The first of the skipped runs. */
  skipped: Date | undefined;
  /** The next run; null for none. */
  next: Date | null;
}

/**
 * Milliseconds after its time within which a run still counts as on time; a later one was missed. Long enough for a
 * restart, short enough for the message to make sense.
 */
export const onTimeMs = 5 * 60_000;

/** Longer than any clock was ever set back. */
const longestShiftMs = 3 * 3_600_000;

const fiveFields = /^\S+ \S+ \S+ \S+ \S+$/;
const nickname = /^@[a-z]+$/;

const zoneOf = ({ timezone }: Timing): string => timezone ?? 'UTC';

/**
 * Parses a cron. A list or a range of hours is a fixed time like a single one, so that runs in a skipped hour are sent
 * right after it.
 */
const read = (cron: string, timezone: string): Cron =>
  new Cron(cron, { timezone, mode: '5-part', fixedTimeRule: 'no-wildcard', paused: true });

const form =
  'write five fields with one space between: minute, hour, day of the month, month, day of the week, as `0 9 * * 1-5`';

/** As many as there are zones; their names are case-insensitive, so their spellings are unbounded. */
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

const isKnownZone = (timezone: string): boolean => {
  try {
    return wallClockIn(timezone) !== undefined;
  } catch {
    return false;
  }
};

/** What the library counts from 0, and a cron from 1. */
const countedFromZero = ['day', 'month', 'nearestWeekdays'];

/** The library's words for a problem, with the number as the author wrote it. */
const inWrittenNumbers = (message: string): string =>
  message
    .replace(/^CronPattern: /, '')
    .replace(/^(Invalid value for (\w+)): (-?\d+)$/, (_, what: string, field: string, number: string) => {
      return `${what}: ${Number(number) + (countedFromZero.includes(field) ? 1 : 0)}`;
    });

/** The problem with a cron or its zone, for its author; undefined where both are valid. Zones are removed now and then. */
export const cronProblem = (cron: string, timezone: string): string | undefined => {
  // The library would accept a time as a cron, and a question mark as the current moment.
  if ((!fiveFields.test(cron) && !nickname.test(cron)) || cron.includes('?')) return form;
  if (!isKnownZone(timezone)) return `the time zone ${timezone} is not known here`;
  try {
    read(cron, timezone);
    return undefined;
  } catch (error) {
    if (nickname.test(cron)) return `${cron} is no shorthand that is known here; ${form}`;
    const message = error instanceof Error ? error.message : String(error);
    return `${inWrittenNumbers(message)}; ${form}`;
  }
};

/** Milliseconds by which a zone is ahead of UTC at a moment on a whole minute. */
const aheadMs = (timezone: string, at: Date): number => {
  const parts = new Map(
    wallClockIn(timezone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0;
  const local = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'));
  return local - at.getTime();
};

/** True when the local time occurred before, because clocks were set back in between (daylight saving). */
const isRepeated = (timezone: string, at: Date): boolean => {
  const now = aheadMs(timezone, at);
  const putBack = aheadMs(timezone, new Date(at.getTime() - longestShiftMs)) - now;
  return putBack > 0 && aheadMs(timezone, new Date(at.getTime() - putBack)) - now === putBack;
};

const minuteMs = 60_000;
/** No zone sets its clocks twice within it. */
const weekMs = 7 * 24 * 3_600_000;

/** The first moment after one and up to another at which clocks are set forward; undefined for none. */
const jumpBetween = (timezone: string, after: Date, until: Date): Date | undefined => {
  const ahead = (ms: number): number => aheadMs(timezone, new Date(ms));
  let low = Math.floor(after.getTime() / minuteMs) * minuteMs;
  for (let high = low; high < until.getTime(); low = high) {
    high = Math.min(low + weekMs, Math.floor(until.getTime() / minuteMs) * minuteMs);
    if (high === low) return undefined;
    if (ahead(high) <= ahead(low)) continue;
    const before = ahead(low);
    while (high - low > minuteMs) {
      const middle = Math.floor((low + high) / 2 / minuteMs) * minuteMs;
      if (ahead(middle) > before) high = middle;
      else low = middle;
    }
    return new Date(high);
  }
  return undefined;
};

/** True when the clocks are set forward over a fixed time of a cron at the end of a day. */
const isSkippedEvening = (cron: string, timezone: string, jump: Date): boolean => {
  // The wall clock before and after the jump, as if it were one in UTC.
  const from = jump.getTime() + aheadMs(timezone, new Date(jump.getTime() - minuteMs));
  const midnight = new Date(from).setUTCHours(24, 0, 0, 0);
  if (jump.getTime() + aheadMs(timezone, jump) < midnight) return false;
  const skipped = read(cron, 'UTC').nextRun(new Date(from - 1_000));
  return skipped !== null && skipped.getTime() < midnight;
};

/**
 * The run at a fixed time of a skipped hour that ends the day, as in Greenland: the library looks for it on the day
 * after and finds none.
 */
const skippedEvening = ({ cron, timezone }: Timing, after: Date, until: Date): Date | undefined => {
  const [minute = '', hour = ''] = cron?.split(' ') ?? [];
  if (cron === null || timezone === null || !fiveFields.test(cron) || /[*/]/.test(minute + hour))
    return undefined;
  let jump = jumpBetween(timezone, after, until);
  while (jump && !isSkippedEvening(cron, timezone, jump)) jump = jumpBetween(timezone, jump, until);
  return jump;
};

/** The first run after a moment; null for none. */
export const nextRun = (timing: Timing, after: Date): Date | null => {
  if (timing.send_at !== null) return timing.send_at > after ? timing.send_at : null;
  const zone = zoneOf(timing);
  const cron = read(timing.cron ?? '', zone);
  let run = cron.nextRun(after);
  while (run && isRepeated(zone, run)) run = cron.nextRun(run);
  return run && (skippedEvening(timing, after, run) ?? run);
};

/** The first runs after a moment, up to the requested number; none where the times can no longer be read. */
export const nextRuns = (timing: Timing, after: Date, count: number): Date[] => {
  if (timing.cron !== null && cronProblem(timing.cron, zoneOf(timing)) !== undefined) return [];
  const runs: Date[] = [];
  let run = nextRun(timing, after);
  while (run && runs.length < count) {
    runs.push(run);
    run = nextRun(timing, run);
  }
  return runs;
};

/** The last run up to a moment, starting from the run `first`. */
const lastRun = (timing: Timing, first: Date, until: Date): Date => {
  if (timing.cron === null) return first;
  const zone = zoneOf(timing);
  const cron = read(timing.cron, zone);
  // Includes the moment itself, which the library excludes.
  let [run] = cron.previousRuns(1, new Date(until.getTime() + 1_000));
  while (run && (run > until || isRepeated(zone, run))) [run] = cron.previousRuns(1, run);
  const last = run && run > first ? run : first;
  return skippedEvening(timing, last, until) ?? last;
};

/**
 * Decides about a scheduled message whose run `first` is due. Of several due runs only the last one is sent, so that
 * the same message is not repeated. It is sent when it is on time, or when missed runs are to be caught up on.
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
/** Milliseconds for which every run is retried, however soon the next one is. */
const minMs = 60_000;

/** Until when a run is retried after transient errors: the next run replaces it. */
export const giveUpAt = ({ catch_up }: { catch_up: boolean }, plan: DuePlan, now: Date): Date => {
  const from = catch_up ? now.getTime() + patienceMs : (plan.run ?? now).getTime() + onTimeMs;
  const until = Math.min(from, plan.next?.getTime() ?? from);
  return new Date(Math.max(until, now.getTime() + minMs));
};
