import { z } from 'zod';

const sharedOf = (methodNames: readonly string[]) => ({
  /** The method that misbehaves. */
  method: z.string().refine((name) => methodNames.includes(name), {
    error: (issue) => `unknown method ${String(issue.input)}; known are ${methodNames.join(', ')}`,
  }),
  /** Misbehave for calls that name this conversation alone. */
  channel: z.string().min(1).optional(),
  /** Misbehave for so many calls, then no more; for ever when left out. */
  times: z.int().min(1).optional(),
});

/** Modes that have nothing to set. */
const bareMode = z.enum(['reset_before', 'reset_after', 'silence_before', 'silence_after']);

/**
 * How the sandbox is told to misbehave.
 *
 * - `latency`: answers `value` milliseconds late, then as any other fault or the method says
 * - `status`: answers HTTP status `value` and does nothing
 * - `rate_limited`: answers 429 with `Retry-After: value`, without that header when `value` is left out
 * - `error`: answers the platform error named `value` and does nothing
 * - `reset_before`, `reset_after`: resets the connection, before or after the call took effect
 * - `silence_before`, `silence_after`: never answers, before or after the call took effect
 *
 * @param methodNames the methods that may misbehave
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

/** One order to misbehave, as it was given. */
export type FaultInput = z.infer<ReturnType<typeof faultInputFor>>;

/** A fault that answers in the method's stead; latency only delays. */
export type AnsweringFault = Exclude<FaultInput, { mode: 'latency' }>;

/** An order to misbehave as `GET /control/faults` lists it. */
export type Fault = FaultInput & {
  readonly id: number;
  /** Calls that it will still spoil; null: every one. */
  readonly remaining: number | null;
};
