import { z } from 'zod';
import { type ErrorCode, errorTable } from './error-codes.ts';

/** An issue of a request's schema, as listed in the 422 answer. */
export interface ValidationIssue {
  code: string;
  path: (string | number)[];
  message: string;
}

/** The public parts of a coded error, all of which may be shown to the caller. */
export interface ErrorFacts {
  /** The problem and the remedy, for people; not stable. */
  message?: string;
  /** Text, one line for each problem. */
  details?: string;
  /** The same list, or the name of the chat platform's error, as JSON text. */
  error_details?: string;
  /** Status of the answer where it differs from the code's: 413 for a body that is too large. */
  http_status?: number;
  /** Seconds to wait, for 429 and 503: the `Retry-After` of the answer. */
  retry_after?: number;
  required_scopes?: string[];
  user_scopes?: string[];
  /** For `validation_failed` only. */
  issues?: ValidationIssue[];
  /**
   * Nothing was done: the request may be repeated as if it had never been made. Internal to services and the gateway.
   */
  nothing_done?: boolean;
}

/** An error in transit between services: a code and its public parts, without its cause. */
export interface ErrorBody extends ErrorFacts {
  code: ErrorCode;
}

/** Schema of {@link ErrorFacts}, for errors from another process. */
export const errorFactsSchema = z.object({
  message: z.string().optional(),
  details: z.string().optional(),
  error_details: z.string().optional(),
  http_status: z.int().optional(),
  retry_after: z.number().optional(),
  required_scopes: z.array(z.string()).optional(),
  user_scopes: z.array(z.string()).optional(),
  issues: z
    .array(
      z.object({
        code: z.string(),
        path: z.array(z.union([z.string(), z.number()])),
        message: z.string(),
      }),
    )
    .optional(),
  nothing_done: z.boolean().optional(),
});

/**
 * An error that the caller may see: a code of the registry and public facts. Its `cause` is for the log only. Any other
 * error reaches the caller as `internal_error`.
 */
export class CodedError extends Error {
  override readonly name = 'CodedError';
  readonly code: ErrorCode;
  readonly facts: ErrorFacts;

  constructor(code: ErrorCode, facts: ErrorFacts = {}, options: { cause?: unknown } = {}) {
    super(facts.message ?? errorTable[code].meaning, options);
    this.code = code;
    this.facts = facts;
  }

  /** HTTP status of the answer. */
  get status(): number {
    return this.facts.http_status ?? errorTable[this.code].status;
  }

  /** The form in transit between services. */
  toBody(): ErrorBody {
    return { ...this.facts, message: this.message, code: this.code };
  }
}
