import { type CodedError, maxUsageDays, validationFailed } from '@stanza/contracts';

const dayMs = 86_400_000;
/** Days of a report without a given start. */
const usualDays = 31;

/** A UTC date as text. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** The next 00:00 UTC after a moment. */
export const nextDay = (at: Date): Date => new Date((Math.floor(at.getTime() / dayMs) + 1) * dayMs);

/** The first 00:00 UTC of the month after a moment. */
export const nextMonth = (at: Date): Date => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1));

/** The days of a report and the moments that bound them. */
export interface UsageRange {
  /** The first day. */
  from: string;
  /** The last day. */
  to: string;
  /** Start of the first day. */
  since: Date;
  /** End of the last day. */
  until: Date;
}

const beginOf = (day: string): number => Date.parse(`${day}T00:00:00.000Z`);

const refuse = (key: 'from' | 'to', message: string): CodedError =>
  validationFailed([{ code: 'custom', path: [key], message }]);

/**
 * The days of a report, both ends inclusive; it ends today by default.
 * @throws CodedError `validation_failed` for an end before the start, and for too many days
 */
export const usageRange = (
  asked: { from?: string | undefined; to?: string | undefined },
  now: Date,
): UsageRange => {
  const to = asked.to ?? dayOf(now);
  const from = asked.from ?? dayOf(new Date(beginOf(to) - (usualDays - 1) * dayMs));
  const days = (beginOf(to) - beginOf(from)) / dayMs + 1;
  const key = asked.to === undefined ? 'from' : 'to';
  if (days < 1) throw refuse(key, `the report would end on ${to}, before its start`);
  if (days > maxUsageDays) throw refuse(key, `a report spans at most ${maxUsageDays} days`);
  return { from, to, since: new Date(beginOf(from)), until: new Date(beginOf(to) + dayMs) };
};

/** The bounds of one UTC day. */
export const boundsOfDay = (day: string): Pick<UsageRange, 'since' | 'until'> => ({
  since: new Date(beginOf(day)),
  until: new Date(beginOf(day) + dayMs),
});
