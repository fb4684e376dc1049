import { describe, expect, it } from '@jest/globals';
import {
  cronProblem,
  giveUpAt,
  nextRun,
  nextRuns,
  onTimeMs,
  planDue,
  type Timing,
} from './schedule-timing.ts';

const cronIn = (timezone: string | null, cron: string): Timing => ({ send_at: null, cron, timezone });
const at = (time: string): Date => new Date(time);
const times = (runs: Date[]): string[] => runs.map((it) => it.toISOString().slice(5, 16));

describe('the runs of a cron', () => {
  it('are in UTC when no zone is named', () => {
    expect(times(nextRuns(cronIn(null, '30 9 * * *'), at('2026-11-21T08:00:00Z'), 2))).toEqual([
      '11-21T09:30',
      '11-22T09:30',
    ]);
  });

  it('come after the moment asked for, never at it', () => {
    const run = nextRun(cronIn('UTC', '* * * * *'), at('2026-11-21T08:00:00.000Z'));
    expect(run).toEqual(at('2026-11-21T08:01:00.000Z'));
  });

  it.each([
    ['Europe/Berlin', '0 9 * * *', '2027-03-27T00:00:00Z', ['03-27T08:00', '03-28T07:00', '03-29T07:00']],
    ['America/New_York', '0 9 * * *', '2027-03-13T05:00:00Z', ['03-13T14:00', '03-14T13:00', '03-15T13:00']],
  ])('keep to the local time of %s when its clocks change', (zone, cron, from, expected) => {
    expect(times(nextRuns(cronIn(zone, cron), at(from), 3))).toEqual(expected);
  });

  it.each([
    ['Europe/Berlin', '30 2 * * *', '2027-03-27T12:00:00Z', ['03-28T01:00', '03-29T00:30']],
    ['Europe/Berlin', '30 2,14 * * *', '2027-03-27T22:00:00Z', ['03-28T01:00', '03-28T12:30']],
    ['America/New_York', '30 2 * * *', '2027-03-13T12:00:00Z', ['03-14T07:00', '03-15T06:30']],
    // The skipped hour is the last of the day.
    ['America/Nuuk', '30 23 * * *', '2027-03-27T12:00:00Z', ['03-28T01:00', '03-29T00:30']],
    ['America/Nuuk', '0 22,23 * * 6', '2027-03-27T12:00:00Z', ['03-28T00:00', '03-28T01:00']],
    ['America/Nuuk', '15 23 27 3 *', '2026-03-30T12:00:00Z', ['03-28T01:00', '03-28T00:15']],
    ['America/Nuuk', '15 23 27 3 *', '2026-03-28T12:00:00Z', ['03-28T01:00', '03-28T00:15']],
  ])('are made up for right after the hour that %s skips: %s', (zone, cron, from, expected) => {
    expect(times(nextRuns(cronIn(zone, cron), at(from), 2))).toEqual(expected);
  });

  it.each([
    ['Europe/Berlin', '0 2,3 * * *', '2027-03-27T22:00:00Z', ['03-28T01:00', '03-29T00:00']],
    ['Europe/Berlin', '*/30 * * * *', '2027-03-28T00:10:00Z', ['03-28T00:30', '03-28T01:00']],
    ['America/New_York', '*/30 * * * *', '2027-03-14T06:10:00Z', ['03-14T06:30', '03-14T07:00']],
  ])('are not doubled by the hour that %s skips: %s', (zone, cron, from, expected) => {
    expect(times(nextRuns(cronIn(zone, cron), at(from), 2))).toEqual(expected);
  });

  it.each([
    ['Europe/Berlin', '30 2 * * *', '2026-10-24T12:00:00Z', ['10-25T00:30', '10-26T01:30']],
    ['Europe/Berlin', '*/30 2 * * *', '2026-10-24T12:00:00Z', ['10-25T00:00', '10-25T00:30', '10-26T01:00']],
    ['Europe/Berlin', '0 * * * *', '2026-10-24T23:30:00Z', ['10-25T00:00', '10-25T02:00', '10-25T03:00']],
    ['America/New_York', '30 1 * * *', '2026-10-31T12:00:00Z', ['11-01T05:30', '11-02T06:30']],
    [
      'America/New_York',
      '*/30 1 * * *',
      '2026-10-31T12:00:00Z',
      ['11-01T05:00', '11-01T05:30', '11-02T06:00'],
    ],
    // Half an hour, and by the name of a zone in the other half of the world.
    [
      'Australia/Lord_Howe',
      '*/15 1 * * *',
      '2027-04-03T14:20:00Z',
      ['04-03T14:30', '04-03T14:45', '04-04T14:30'],
    ],
  ])('happen once in the hour that %s has twice: %s', (zone, cron, from, expected) => {
    expect(times(nextRuns(cronIn(zone, cron), at(from), expected.length))).toEqual(expected);
  });

  it('end where no date fits any more', () => {
    expect(nextRuns(cronIn('UTC', '0 0 30 2 *'), at('2026-11-21T08:00:00Z'), 5)).toEqual([]);
  });
});

describe('the run of a single time', () => {
  const timing: Timing = { send_at: at('2026-11-21T09:00:00Z'), cron: null, timezone: null };

  it('is that time, until it has come', () => {
    expect(nextRuns(timing, at('2026-11-21T08:59:59Z'), 5)).toEqual([timing.send_at]);
    expect(nextRun(timing, at('2026-11-21T09:00:00Z'))).toBeNull();
  });
});

describe('a cron', () => {
  it.each(['0 9 * * 1-5', '*/15 8-18 * * MON-FRI', '0 9 L * *', '@daily', '0 0 1 1,7 *'])(
    'may be %s',
    (cron) => expect(cronProblem(cron, 'Europe/Berlin')).toBeUndefined(),
  );

  it.each([
    '61 * * * *',
    'every day',
    '* * * * * *',
    '0 9 * *',
    '0  9 * * *',
    '? 9 * * *',
    '2027-01-01T00:00:00',
    '@sometimes',
    'a b c d e',
  ])('may not be %s, and the answer says how one is written', (cron) => {
    expect(cronProblem(cron, 'UTC')).toContain('write five fields');
  });

  it.each([
    ['0 0 * 13 *', 'Invalid value for month: 13;'],
    ['0 0 0 * *', 'Invalid value for day: 0;'],
    ['0 0 1-32 * *', 'Invalid value for day: 32;'],
    ['0 0 40W * *', 'Invalid value for nearestWeekdays: 40;'],
    ['60 * * * *', 'Invalid value for minute: 60;'],
    ['0 0 * * 8', 'Invalid value for dayOfWeek: 8;'],
    ['@fortnightly', '@fortnightly is no shorthand that is known here;'],
    ['@reboot', '@reboot is no shorthand that is known here;'],
  ])('that is refused is named as it was written: %s', (cron, problem) => {
    expect(cronProblem(cron, 'UTC')).toContain(problem);
  });
});

describe('what is done about a due run', () => {
  const hourly = { ...cronIn('UTC', '0 * * * *'), catch_up: false };
  const nine = at('2026-11-21T09:00:00Z');
  const later = (ms: number) => new Date(nine.getTime() + ms);

  it('is to send it, and to go on with the next', () => {
    expect(planDue(hourly, nine, nine)).toEqual({
      run: nine,
      skipped: undefined,
      next: at('2026-11-21T10:00:00Z'),
    });
  });

  it('is to send it as long as it is on time', () => {
    expect(planDue(hourly, nine, later(onTimeMs)).run).toEqual(nine);
    expect(planDue(hourly, nine, later(onTimeMs + 1))).toMatchObject({ run: undefined, skipped: nine });
  });

  it('is to send the last of several also where it was to come in an hour that is skipped before midnight', () => {
    const timing = { ...cronIn('America/Nuuk', '30 23 * * *'), catch_up: false };
    const [first, end] = [at('2027-03-27T01:30:00Z'), at('2027-03-28T01:00:00Z')];
    expect(planDue(timing, first, at('2027-03-28T01:02:00Z'))).toEqual({
      run: end,
      skipped: first,
      next: at('2027-03-29T00:30:00Z'),
    });
  });

  it('is to send only the last of several, when that is on time', () => {
    expect(planDue(hourly, nine, at('2026-11-21T12:01:00Z'))).toEqual({
      run: at('2026-11-21T12:00:00Z'),
      skipped: nine,
      next: at('2026-11-21T13:00:00Z'),
    });
  });

  it('is to send one of those that were missed when they are to be caught up on', () => {
    const plan = planDue({ ...hourly, catch_up: true }, nine, at('2026-11-21T12:30:00Z'));
    expect(plan).toEqual({
      run: at('2026-11-21T12:00:00Z'),
      skipped: nine,
      next: at('2026-11-21T13:00:00Z'),
    });
  });

  it('is to send or skip a single one, after which there is none', () => {
    const once = { send_at: nine, cron: null, timezone: null };
    const noon = at('2026-11-21T12:00:00Z');
    expect(planDue({ ...once, catch_up: false }, nine, noon)).toEqual({
      run: undefined,
      skipped: nine,
      next: null,
    });
    expect(planDue({ ...once, catch_up: true }, nine, noon)).toEqual({
      run: nine,
      skipped: undefined,
      next: null,
    });
  });

  it.each(['Europe/Berlin', 'America/New_York'])(
    'finds in %s the last run that counting up would find',
    (zone) => {
      const timing = { ...cronIn(zone, '*/20 1-3 * * *'), catch_up: true };
      for (const start of [
        '2026-10-24T00:00:00Z',
        '2026-10-31T00:00:00Z',
        '2027-03-13T00:00:00Z',
        '2027-03-27T00:00:00Z',
      ]) {
        const runs = nextRuns(timing, at(start), 20);
        const [first] = runs;
        if (!first) throw new Error('no run was found');
        const found = runs.map((run) => planDue(timing, first, new Date(run.getTime() + 59_000)).run);
        expect(found).toEqual(runs);
      }
    },
  );
});

describe('a transient error', () => {
  const now = at('2026-11-21T09:00:10Z');
  const run = at('2026-11-21T09:00:00Z');
  const plan = (next: string | null) => ({ run, skipped: undefined, next: next === null ? null : at(next) });

  it('is waited out for as long as the run is on time', () => {
    expect(giveUpAt({ catch_up: false }, plan(null), now)).toEqual(at('2026-11-21T09:05:00Z'));
  });
  it('is waited out for a day when runs are caught up on', () => {
    expect(giveUpAt({ catch_up: true }, plan(null), now)).toEqual(at('2026-11-22T09:00:10Z'));
  });
  it('is waited out until the next run at most', () => {
    expect(giveUpAt({ catch_up: true }, plan('2026-11-21T10:00:00Z'), now)).toEqual(
      at('2026-11-21T10:00:00Z'),
    );
  });
  it('is waited out for a minute at least', () => {
    expect(giveUpAt({ catch_up: false }, plan('2026-11-21T09:00:30Z'), now)).toEqual(
      at('2026-11-21T09:01:10Z'),
    );
  });
});
