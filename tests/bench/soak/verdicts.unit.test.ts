import { describe, expect, it } from '@jest/globals';
import type { Sample } from './sample.ts';
import { verdictsOf } from './verdicts.ts';

const mebibyte = 1_048_576;

const sampleAt = (minutes: number, more: Partial<Sample> = {}): Sample => ({
  minutes,
  requests: minutes * 1_000,
  memory: { gateway: 100 * mebibyte },
  heap: { gateway: 40 * mebibyte },
  files: { gateway: 60 },
  connections: 40,
  statements: { gateway: 9 },
  series: { gateway: 400 },
  database: minutes * 1_000 * 2_000,
  tables: {},
  jetstream: 10 * mebibyte,
  lag: { gateway: 12 },
  ...more,
});

const broken = (samples: Sample[], settled = 5): string[] =>
  verdictsOf(samples, settled)
    .filter((it) => !it.holds)
    .map((it) => it.what);

const steady = [5, 10, 15, 20].map((minutes) => sampleAt(minutes));

describe('the verdicts of a steady load', () => {
  it('hold where nothing grows but what is stored', () => {
    expect(broken(steady)).toEqual([]);
  });

  it('name the process whose memory has grown by more than a tenth since it settled', () => {
    const last = sampleAt(25, { memory: { gateway: 111 * mebibyte } });
    expect(broken([...steady, last])).toEqual(['memory of gateway']);
  });

  it('do not count what grew before it settled', () => {
    const first = sampleAt(1, { memory: { gateway: 50 * mebibyte }, connections: 8 });
    expect(broken([first, ...steady])).toEqual([]);
  });

  it('name connections, files and series that pile up', () => {
    const last = sampleAt(25, { connections: 50, files: { gateway: 90 }, series: { gateway: 500 } });
    expect(broken([...steady, last])).toEqual([
      'open files of gateway',
      'series of gateway',
      'connections to the database',
    ]);
  });

  it('name a database that takes more for each request than it did', () => {
    const last = sampleAt(25, { database: 120_000_000 });
    expect(broken([...steady, last])).toEqual(['growth of the database']);
  });

  it('refuse to judge a load that ended before it settled', () => {
    expect(() => verdictsOf([sampleAt(5)], 5)).toThrow('too short');
  });
});
