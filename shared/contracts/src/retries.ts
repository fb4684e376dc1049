/**
 * What a client does after a failure, by its code; where the code is a new one, by its status. The SDK of each language is
 * made with this table.
 */
export const retryRules = {
  /** No request has begun under these, so each is made again, whatever it is. 408: the server has not read the request. */
  not_begun: { codes: ['rate_limited', 'tier_limit', 'maintenance'], statuses: [408, 429] },
  /** Another attempt under the same idempotency key may succeed, so reads and requests with a key are made again. */
  transient: { codes: ['service_unavailable', 'idempotency_in_progress', 'no_answer'], statuses: [503] },
  /** Whether anything was done is not known here: the same key runs the request again only where nothing was. */
  once: { codes: ['internal_error', 'credit_deduction_failed'] },
  /** Of status 503 or without an answer, and still no matter of time. */
  permanent: { codes: ['destination_test_host_not_enabled', 'tls_failed'] },
  /** The first pause; each one after it is twice as long. */
  first_pause_ms: 250,
  longest_pause_ms: 8_000,
} as const;
