import type { CodedError } from '@stanza/contracts';

/** What became of a message. */
export type Verdict =
  | { status: 'sent'; channel: string; messageTs: string }
  /** It is certain that nothing was posted. */
  | { status: 'failed'; error: CodedError }
  /** The post may have been done; nobody knows. */
  | { status: 'unknown' };
