import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Deadlines } from './deadlines.ts';

beforeEach(() => {
  jest.useFakeTimers({ now: 0 });
});
afterEach(() => {
  jest.useRealTimers();
});

const watch = () => {
  const told: string[] = [];
  const deadlines = new Deadlines(() => performance.now());
  const add = (name: string, deadline: number) => {
    const entry = { deadline, expire: () => told.push(name) };
    deadlines.add(entry);
    return entry;
  };
  return { told, deadlines, add };
};

describe('deadlines', () => {
  it('expire in time, each once, in whatever order they were added', () => {
    const { told, add } = watch();
    add('late', 500);
    add('early', 100);
    add('between', 300);
    jest.advanceTimersByTime(99);
    expect(told).toEqual([]);
    jest.advanceTimersByTime(12);
    expect(told).toEqual(['early']);
    jest.advanceTimersByTime(200);
    expect(told).toEqual(['early', 'between']);
    jest.advanceTimersByTime(5_000);
    expect(told).toEqual(['early', 'between', 'late']);
  });

  it('that were settled do not expire', () => {
    const { told, deadlines, add } = watch();
    const settled = add('settled', 100);
    add('other', 200);
    deadlines.delete(settled);
    jest.advanceTimersByTime(1_000);
    expect(told).toEqual(['other']);
  });

  it('added while others expire are kept', () => {
    const { told, deadlines, add } = watch();
    const adds = { deadline: 100, expire: () => void add('next', 150) };
    deadlines.add(adds);
    add('last', 400);
    jest.advanceTimersByTime(1_000);
    expect(told).toEqual(['next', 'last']);
  });

  it('keep no timer after they were cleared', () => {
    const { told, deadlines, add } = watch();
    add('one', 100);
    deadlines.clear();
    expect(jest.getTimerCount()).toBe(0);
    jest.advanceTimersByTime(1_000);
    expect(told).toEqual([]);
  });

  it('share one timer', () => {
    const { add } = watch();
    for (let deadline = 1_000; deadline < 2_000; deadline++) add('many', deadline);
    expect(jest.getTimerCount()).toBe(1);
  });
});
