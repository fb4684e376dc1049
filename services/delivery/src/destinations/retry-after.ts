/** Milliseconds that a `Retry-After` asks for, given in seconds or as a date; undefined when it says nothing usable. */
export const retryAfterMs = (value: unknown, now: number): number | undefined => {
  if (typeof value !== 'string') return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
};
