/** The outcome of one attempt to send. */
export interface OutboundReply {
  /** refused: answered, not with 2xx; not_sent: nothing was sent; lost: bytes may have arrived, without an answer. */
  outcome: 'delivered' | 'refused' | 'not_sent' | 'lost';
  httpStatus?: number;
  /** The kind of failure, in a word. */
  error?: string;
  /** The `Retry-After` of the answer. */
  retryAfterMs?: number | undefined;
  /** The start of the answer. */
  response?: string;
  latencyMs: number;
}
