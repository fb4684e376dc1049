/** How one attempt to send went. */
export interface OutboundReply {
  /** refused: answered, not with 2xx; not_sent: nothing has left; lost: something may have arrived, no answer came. */
  outcome: 'delivered' | 'refused' | 'not_sent' | 'lost';
  httpStatus?: number;
  /** How it broke, in a word. */
  error?: string;
  /** What the other side asked for. */
  retryAfterMs?: number | undefined;
  /** The beginning of the answer. */
  response?: string;
  latencyMs: number;
}
