/** A point in time, or a calendar date, which belongs to no time zone. */
export interface Moment {
  /** Epoch milliseconds; of a calendar date, of its midnight in UTC. */
  readonly at: number;
  readonly isDate: boolean;
}

const iso =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s?(?:Z|([+-])(\d{2}):?(\d{2}))?)?$/;
const epoch = /^\d{9,13}(?:\.\d{1,6})?$/;
/** Below this a number means seconds (until the year 5138), from it on milliseconds (since 1973). */
const FIRST_MILLISECONDS = 100_000_000_000;
/** The last moment that a date can hold. */
const LAST = 8_640_000_000_000_000;

const fromNumber = (number: number): Moment | undefined => {
  const at = Math.abs(number) < FIRST_MILLISECONDS ? number * 1000 : number;
  return Number.isFinite(at) && Math.abs(at) <= LAST ? { at: Math.trunc(at), isDate: false } : undefined;
};

const fromIso = (parts: RegExpExecArray): Moment | undefined => {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const milliseconds = Number((parts[7] ?? '').padEnd(3, '0').slice(0, 3));
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  if (!exists || hour > 23 || minute > 59 || second > 60) return undefined;
  date.setUTCHours(hour, minute, second, milliseconds);
  const away = (Number(parts[9] ?? 0) * 60 + Number(parts[10] ?? 0)) * 60_000;
  return { at: date.getTime() - (parts[8] === '-' ? -away : away), isDate: parts[4] === undefined };
};

/**
 * Reads a moment: ISO 8601 (without a zone it is UTC, so that no server's own zone matters), or a number of seconds or
 * milliseconds since 1970, also as text.
 */
export const momentOf = (value: unknown): Moment | undefined => {
  if (typeof value === 'number') return fromNumber(value);
  if (typeof value !== 'string' || value.length > 40) return undefined;
  const text = value.trim();
  if (epoch.test(text)) return fromNumber(Number(text));
  const parts = iso.exec(text);
  return parts === null ? undefined : fromIso(parts);
};
