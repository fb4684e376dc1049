/** A point in time, or a calendar date, which belongs to no time zone. */
export interface Moment {
  /** Epoch milliseconds; of a calendar date, of its midnight in UTC. */
  readonly at: number;
  /** Nanoseconds after `at`, 0 to 999,999: what is compared, and never shown. */
  readonly nanoseconds: number;
  readonly isDate: boolean;
}

/** The forms of a moment that people and databases write, in words for messages. */
export const momentForms =
  'a date: ISO 8601, or seconds, milliseconds, microseconds or nanoseconds since 1970';

const iso =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?(?:\s?(?:[Zz]|UTC|GMT|([+-])(\d{2})(?::?(\d{2}))?(?: UTC)?)(?:\[[\w/+-]+\])?)?)?$/;
const epoch = /^(\d{9,20})(?:\.(\d{1,9}))?$/;
/** No form of a moment is longer. */
const LONGEST = 80;
/** Units of an epoch number by its size, each from 1973 to the year 5138, and the digits of their nanoseconds. */
const units = [
  { below: 1e11, digits: 9 },
  { below: 1e14, digits: 6 },
  { below: 1e17, digits: 3 },
  { below: 1e20, digits: 0 },
] as const;
const [{ below: FIRST_MILLISECONDS }, { below: FIRST_MICROSECONDS }] = units;
/** Nanoseconds of a millisecond. */
const MILLISECOND = 1_000_000n;

const pointAt = (at: number, nanoseconds = 0): Moment => ({ at, nanoseconds, isDate: false });

/** An epoch number by its digits, since the nanoseconds of today are beyond what a number holds. */
const fromDigits = (isNegative: boolean, whole: string, fraction: string): Moment | undefined => {
  const unit = units.find(({ below }) => Number(whole) < below);
  if (unit === undefined) return undefined;
  const digits = BigInt(whole + fraction.slice(0, unit.digits).padEnd(unit.digits, '0'));
  const total = isNegative ? -digits : digits;
  const nanoseconds = ((total % MILLISECOND) + MILLISECOND) % MILLISECOND;
  return pointAt(Number((total - nanoseconds) / MILLISECOND), Number(nanoseconds));
};

const fromNumber = (number: number): Moment | undefined => {
  const size = Math.abs(number);
  if (Number.isInteger(number) && size < FIRST_MICROSECONDS) {
    return pointAt(size < FIRST_MILLISECONDS ? number * 1000 : number);
  }
  // The shortest digits of the number are those that its sender wrote.
  const [, whole, fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(String(size)) ?? [];
  if (whole !== undefined) return fromDigits(number < 0, whole, fraction);
  return size < 1 ? pointAt(0) : undefined;
};

const fromIso = (parts: RegExpExecArray): Moment | undefined => {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const [awayHours, awayMinutes] = [Number(parts[9] ?? 0), Number(parts[10] ?? 0)];
  const fraction = (parts[7] ?? '').slice(0, 9).padEnd(9, '0');
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  // The day may end at 24:00.
  const isEnd = hour === 24 && minute === 0 && second === 0 && Number(fraction) === 0;
  if (!exists || (hour > 23 && !isEnd) || minute > 59 || second > 60 || awayHours > 23 || awayMinutes > 59) {
    return undefined;
  }
  date.setUTCHours(hour, minute, second, Number(fraction.slice(0, 3)));
  const away = (awayHours * 60 + awayMinutes) * 60_000;
  return {
    at: date.getTime() - (parts[8] === '-' ? -away : away),
    nanoseconds: Number(fraction.slice(3)),
    isDate: parts[4] === undefined,
  };
};

/**
 * Reads a text as ISO 8601, also as databases and programs write it: a space or `t` for `T`, an offset of hours alone,
 * ` UTC` at the end, the name of the zone behind its offset (`+01:00[Europe/Berlin]`). Without a zone it is UTC, so that
 * no server's own zone matters.
 */
export const isoMomentOf = (value: string): Moment | undefined => {
  if (value.length > LONGEST) return undefined;
  const parts = iso.exec(value.trim());
  return parts === null ? undefined : fromIso(parts);
};

/**
 * Reads a moment: ISO 8601, or a number of seconds, milliseconds, microseconds or nanoseconds since 1970, told apart by
 * their size; as text it has nine digits or more.
 */
export const momentOf = (value: unknown): Moment | undefined => {
  if (typeof value === 'number') return fromNumber(value);
  if (typeof value !== 'string' || value.length > LONGEST) return undefined;
  const [, whole, fraction = ''] = epoch.exec(value.trim()) ?? [];
  return whole === undefined ? isoMomentOf(value) : fromDigits(false, whole, fraction);
};

/** Negative where the first is earlier, positive where it is later, 0 for the same moment. */
export const compareMoments = (one: Moment, other: Moment): number =>
  one.at - other.at || one.nanoseconds - other.nanoseconds;
