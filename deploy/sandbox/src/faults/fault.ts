import { z } from 'zod';

const sharedOf = (methodNames: readonly string[]) => ({
  /** The method that fails. */
  method: z.string().refine((name) => methodNames.includes(name), {
    error: (issue) => `unknown method ${String(issue.input)}; known are ${methodNames.join(', ')}`,
  }),
  /** Only for calls that name this conversation. */
  channel: z.string().min(1).optional(),
  /** Number of calls; unlimited when omitted. */
  times: z.int().min(1).optional(),
});

/** Modes without a value. */
const bareMode = z.enum(['reset_before', 'reset_after', 'silence_before', 'silence_after']);

/**
 * A fault to inject.
 *
 * - `latency`: answers `value` milliseconds late, then as another fault or the method answers
 * - `status`: answers HTTP status `value` without effect
 * - `rate_limited`: answers 429 with `Retry-After: value`, without that header when `value` is omitted
 * - `error`: answers the platform error named `value` without effect
 * - `reset_before`, `reset_after`: resets the connection, before or after the call took effect
 * - `silence_before`, `silence_after`: never answers, before or after the call took effect
 *
 * @param methodNames the methods that faults may name
 */
export const faultInputFor = (methodNames: readonly string[]) => {
  const shared = sharedOf(methodNames);
  return z.discriminatedUnion('mode', [
    z.strictObject({ ...shared, mode: z.literal('latency'), value: z.int().min(0).max(600_000) }),
    z.strictObject({ ...shared, mode: z.literal('status'), value: z.int().min(400).max(599) }),
    z.strictObject({
      ...shared,
      mode: z.literal('rate_limited'),
      value: z.int().min(0).max(86_400).optional(),
    }),
    z.strictObject({ ...shared, mode: z.literal('error'), value: z.string().regex(/^[a-z][a-z0-9_]*$/) }),
    z.strictObject({ ...shared, mode: bareMode }),
  ]);
};

/** A fault as requested. */
export type FaultInput = z.infer<ReturnType<typeof faultInputFor>>;

/** A fault that answers instead of the method; latency only delays. */
export type AnsweringFault = Exclude<FaultInput, { mode: 'latency' }>;

/** A fault as listed by `GET /control/faults`. */
export type Fault = FaultInput & {
  readonly id: number;
  /** Remaining calls; null when unlimited. */
  readonly remaining: number | null;
};
