import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Clocks } from './clocks.ts';
import { offsetIn, shiftedDate } from './shifted-clock.ts';

const run = promisify(execFile);

/** What the machine's clock says. */
const moment = 1_800_000_000_000;
/** `Date` of a machine whose time stands still. */
const held = new Proxy(Date, {
  get: (target, name, receiver) => (name === 'now' ? () => moment : Reflect.get(target, name, receiver)),
});

describe('a date of a clock that is off', () => {
  it.each([5, 60_000, -2_000])('is %i ms off where it is of now', (offset) => {
    const shifted = shiftedDate(held, () => offset);
    expect(shifted.now()).toBe(moment + offset);
    expect(new shifted().getTime()).toBe(moment + offset);
    expect(shifted()).toBe(new Date(moment + offset).toString());
  });

  it('is what it is made of where it is made of something', () => {
    const shifted = shiftedDate(held, () => 60_000);
    expect(new shifted(moment).getTime()).toBe(moment);
    expect(new shifted('2026-11-22T06:00:00.000Z').toISOString()).toBe('2026-11-22T06:00:00.000Z');
    expect(new shifted(2026, 10, 22)).toEqual(new Date(2026, 10, 22));
    expect(shifted.UTC(2026, 10, 22)).toBe(Date.UTC(2026, 10, 22));
  });

  it('is an instance of the one class and of the other', () => {
    const shifted = shiftedDate(held, () => 60_000);
    expect([new shifted() instanceof Date, new Date(moment) instanceof shifted]).toEqual([true, true]);
  });
});

describe('the clocks of processes', () => {
  let folder: string;
  let clocks: Clocks;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'stanza-clocks-'));
    clocks = new Clocks(folder, ['delivery', 'delivery-2']);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('are right at first, step to and fro, and do so each by itself', () => {
    let elapsed = 0;
    const offsets = ['delivery', 'delivery-2'].map((it) => offsetIn(clocks.file(it), () => elapsed));
    const seen = () => {
      elapsed += 1_000;
      return offsets.map((offset) => offset());
    };
    expect(seen()).toEqual([0, 0]);
    const fault = clocks.putOff('delivery', 60_000);
    expect(seen()).toEqual([60_000, 0]);
    fault.step(-2_000);
    expect(seen()).toEqual([-2_000, 0]);
    fault.end();
    expect(seen()).toEqual([0, 0]);
  });

  it('are as the latest fault says, and right only after the last has ended', () => {
    let elapsed = 0;
    const offset = offsetIn(clocks.file('delivery'), () => elapsed);
    const seen = () => {
      elapsed += 1_000;
      return offset();
    };
    const first = clocks.putOff('delivery', 60_000);
    const second = clocks.putOff('delivery', 5);
    expect(seen()).toBe(5);
    first.step(-5);
    first.end();
    expect(seen()).toBe(5);
    second.end();
    expect(seen()).toBe(0);
  });

  it('are not read again for every look at the time', () => {
    let elapsed = 0;
    const offset = offsetIn(clocks.file('delivery'), () => elapsed);
    expect(offset()).toBe(0);
    clocks.putOff('delivery', 5);
    expect(offset()).toBe(0);
    elapsed += 1_000;
    expect(offset()).toBe(5);
  });

  it('put off the whole process that loads one first, and leave its timers and its monotonic clock', async () => {
    const days = 7;
    clocks.putOff('delivery', days * 86_400_000);
    const module = pathToFileURL(join(import.meta.dirname, 'shifted-clock.ts')).href;
    const program = `
      const { offsetIn, shiftClock } = await import(${JSON.stringify(module)});
      const kept = () => [performance, performance.now, setTimeout, setInterval];
      const [before, first] = [kept(), new Date()];
      shiftClock(offsetIn(${JSON.stringify(clocks.file('delivery'))}));
      const { now } = Date;
      const times = [now(), new Date().getTime(), Date.parse(Date())];
      console.log(JSON.stringify({
        days: times.map((it) => Math.round((it - first.getTime()) / 86_400_000)),
        areKept: kept().every((it, at) => it === before[at]),
        isOneClass: new Date().constructor === Date && first instanceof Date,
      }));`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program]);
    expect(JSON.parse(stdout)).toEqual({ days: [days, days, days], areKept: true, isOneClass: true });
  });
});
