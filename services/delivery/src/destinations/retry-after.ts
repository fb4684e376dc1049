/** Milliseconds of a `Retry-After`, given in seconds or as a date; undefined for an unusable one. */
export const retryAfterMs = (value: unknown, now: number): number | undefined => {
  if (typeof value !== 'string') return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
};
