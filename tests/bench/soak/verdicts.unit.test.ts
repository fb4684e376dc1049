import { describe, expect, it } from '@jest/globals';
import type { Sample } from './sample.ts';
import { type Settling, verdictsOf } from './verdicts.ts';

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
  forgotten: { 'delivery.messages': 20 * mebibyte },
  lag: { gateway: 12 },
  ...more,
});

const settling = { load: 5, jobs: 5, tables: 5 };

const broken = (samples: Sample[], given: Settling = settling): string[] =>
  verdictsOf(samples, given)
    .filter((it) => !it.holds)
    .map((it) => it.what);

const steady = [5, 10, 15].map((minutes) => sampleAt(minutes));

describe('the verdicts of a steady load', () => {
  it('hold where nothing grows but what is stored', () => {
    expect(broken(steady)).toEqual([]);
  });

  it('name the process whose memory has grown by more than a quarter since it settled', () => {
    const grown = [20, 25, 30].map((minutes) => sampleAt(minutes, { memory: { gateway: 126 * mebibyte } }));
    expect(broken([...steady, ...grown])).toEqual(['memory of gateway']);
  });

  it('do not count what grew before it settled', () => {
    const first = sampleAt(1, { memory: { gateway: 50 * mebibyte }, connections: 8 });
    expect(broken([first, ...steady])).toEqual([]);
  });

  it('do not judge by one sample at a bad moment', () => {
    const bad = sampleAt(25, { memory: { gateway: 150 * mebibyte } });
    expect(broken([...steady, sampleAt(20), bad, sampleAt(30)])).toEqual([]);
  });

  it('compare the memory of a process with the most that it held in the first half', () => {
    const at = (minutes: number, mebibytes: number) =>
      sampleAt(minutes, { memory: { gateway: mebibytes * mebibyte } });
    expect(broken([at(5, 100), at(10, 140), at(15, 90), at(20, 90), at(25, 170), at(30, 170)])).toEqual([]);
    expect(broken([at(5, 100), at(10, 140), at(15, 90), at(20, 90), at(25, 180), at(30, 180)])).toEqual([
      'memory of gateway',
    ]);
  });

  it('judge a heap by the least of a few minutes, which garbage collection left', () => {
    const at = (minutes: number, mebibytes: number) =>
      sampleAt(minutes, { heap: { gateway: mebibytes * mebibyte } });
    expect(broken([...steady, at(20, 70), at(25, 41), at(30, 68)])).toEqual([]);
    expect(broken([...steady, at(20, 70), at(25, 60), at(30, 68)])).toEqual(['heap of gateway']);
  });

  it('leave out what the sandbox keeps', () => {
    const kept = [20, 25, 30].map((minutes) => sampleAt(minutes, { memory: { sandbox: 900 * mebibyte } }));
    expect(broken([...steady, ...kept])).toEqual([]);
  });

  it('wait with statements and series until each job has run once', () => {
    const ran = [15, 20, 25, 30].map((minutes) =>
      sampleAt(minutes, { statements: { gateway: 20 }, series: { gateway: 500 } }),
    );
    const all = [sampleAt(5), sampleAt(10), ...ran];
    expect(broken(all, { ...settling, jobs: 12 })).toEqual([]);
    expect(broken(all)).toEqual(['statements of gateway', 'series of gateway']);
  });

  it('judge Postgres by what each of its connections holds', () => {
    const held = (connections: number, each: number) => ({
      connections,
      memory: { postgres: connections * each },
    });
    const before = [5, 10, 15].map((minutes) => sampleAt(minutes, held(20, 4 * mebibyte)));
    const more = [20, 25, 30].map((minutes) => sampleAt(minutes, held(28, 4 * mebibyte)));
    const larger = [20, 25, 30].map((minutes) => sampleAt(minutes, held(20, 6 * mebibyte)));
    expect(broken([...before, ...more])).toEqual([]);
    expect(broken([...before, ...larger])).toEqual(['memory of a connection to postgres']);
  });

  it('name connections, files and series that pile up', () => {
    const more = { connections: 55, files: { gateway: 90 }, series: { gateway: 500 } };
    const grown = [20, 25, 30].map((minutes) => sampleAt(minutes, more));
    expect(broken([...steady, ...grown])).toEqual([
      'open files of gateway',
      'series of gateway',
      'connections to the database',
    ]);
  });

  it('name a database that takes more for each request than it did', () => {
    const last = sampleAt(20, { database: 90_000_000 });
    expect(broken([...steady, last])).toEqual(['growth of the database']);
  });

  it('name a table that grows although its rows are to be forgotten, where it has had the time', () => {
    const of = (mebibytes: number) => ({ forgotten: { 'delivery.messages': mebibytes * mebibyte } });
    const all = [5, 10, 15, 20, 25, 30].map((minutes) => sampleAt(minutes, of(10 + minutes)));
    expect(broken(all)).toEqual(['bytes of delivery.messages']);
    expect(broken(all, { ...settling, tables: undefined })).toEqual([]);
  });

  it('judge no table that holds next to nothing', () => {
    const judged = verdictsOf(
      steady.map((it) => ({ ...it, forgotten: { ...it.forgotten, 'delivery.inbox': 100_000 } })),
      settling,
    );
    expect(judged.map((it) => it.what).filter((it) => it.startsWith('bytes'))).toEqual([
      'bytes of delivery.messages',
    ]);
  });

  it('refuse to judge a load that ended before it settled', () => {
    expect(() => verdictsOf([sampleAt(5)], settling)).toThrow('too short');
  });
});
