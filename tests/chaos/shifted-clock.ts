import { readFileSync } from 'node:fs';

/** Answers milliseconds by which a clock is off; below zero it is behind. */
export type Offset = () => number;

/**
 * `Date` of a machine whose time of day is off: `new Date()`, `Date.now()` and `Date()` are. A date that is made from
 * something else is the same as before, and both kinds are instances of both.
 */
export const shiftedDate = (real: DateConstructor, offset: Offset): DateConstructor => {
  const now = (): number => real.now() + offset();
  return new Proxy(real, {
    apply: () => new real(now()).toString(),
    construct: (target, given, newTarget) =>
      Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget),
    get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
  });
};

/** Milliseconds for which an offset that was read is used, so that asking for the time stays cheap. */
const staleAfterMs = 20;

/**
 * The offset that stands in a file, which may change at any time. The file is read when the time is asked for, so that
 * a process which idles does nothing and one that was frozen sees the change with its first look at the clock.
 */
export const offsetIn = (file: string, monotonic: () => number = () => performance.now()): Offset => {
  let offset = 0;
  let readAt = Number.NEGATIVE_INFINITY;
  return () => {
    const at = monotonic();
    if (at - readAt < staleAfterMs) return offset;
    readAt = at;
    offset = Number(readFileSync(file, 'utf8'));
    return offset;
  };
};

/** Puts the time of day of this process off. Timers and `performance.now()` go on as before. */
export const shiftClock = (offset: Offset): void => {
  const shifted = shiftedDate(Date, offset);
  Object.defineProperty(Date.prototype, 'constructor', { value: shifted });
  globalThis.Date = shifted;
};
