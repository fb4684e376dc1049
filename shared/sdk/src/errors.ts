import type { ErrorCode, OperationCodes } from './generated/types.ts';

/**
 * Codes of the client itself. `no_answer`: the connection broke or the answer is late. `tls_failed`: the host's
 * certificate is not trusted.
 * `deadline_exceeded`: the time of the call is over. `aborted`: the caller's signal. `unreadable_answer`: the answer is not
 * Stanza's. `invalid_signature` comes of `verify`.
 */
export type ClientCode = 'no_answer' | 'tls_failed' | 'deadline_exceeded' | 'aborted' | 'unreadable_answer';

/** What the platform says of a connection that broke; what was sent is left out. */
export interface ConnectionFault {
  /** As `ECONNREFUSED`. */
  code: string;
  syscall?: string;
  hostname?: string;
  address?: string;
  port?: number;
}

/** A code of an error. */
export type AnyCode = ErrorCode | ClientCode;

/** One thing wrong with the shape of a request. */
export interface Issue {
  code: string;
  path: (string | number)[];
  message: string;
}

/** What is known of a failure; nothing of it is secret. */
export interface Failed<Code extends string = AnyCode> {
  code: Code;
  /** What happened, for people. */
  text: string;
  /** The method that failed: `templates.send`. */
  operation?: string;
  /** Of the answer; 0 where there was none. */
  status?: number;
  requestId?: string | undefined;
  /** One line a problem. */
  details?: string | undefined;
  /** JSON text, or the name of the chat platform's error. */
  errorDetails?: string | undefined;
  issues?: Issue[];
  requiredScopes?: string[];
  userScopes?: string[];
  /** Address of the page about the code. */
  docs?: string | undefined;
  /** Seconds that the answer asks to wait. */
  retryAfter?: number | undefined;
  idempotencyKey?: string | undefined;
  replayed?: boolean;
  attempts?: number;
  cause?: ConnectionFault | undefined;
  /** Why the caller's signal was aborted, as its reason says. */
  reason?: unknown;
}

/** Problems that the message of an error has; all are in `details`. */
const shownProblems = 5;

/** The lines of `details` below a message, cut where there are many. */
const problemsIn = (details: string | undefined): string => {
  const lines = details?.split('\n') ?? [];
  const more = lines.length - shownProblems;
  return [
    '',
    ...lines.slice(0, shownProblems),
    ...(more > 0 ? [`and ${more} more in \`details\``] : []),
  ].join('\n');
};

/** An error in one line, with the chat platform's name of it, and its problems below; issues stand in the text. */
const messageOf = ({
  code,
  text,
  requestId,
  details,
  errorDetails = '',
  issues = [],
}: Failed<string>): string => {
  const [, name] = /^"?([\w.:-]+)"?$/.exec(errorDetails) ?? [];
  const facts = [name, requestId && `request ${requestId}`].filter(Boolean).join('; ');
  return `${code}: ${text}${facts && ` (${facts})`}${problemsIn(issues.length > 0 ? undefined : details)}`;
};

/**
 * What every method throws. Match on `code`: `from` narrows it to the codes of one operation, so that a `switch` can
 * be complete. It never holds the API key.
 */
export class StanzaError<Code extends string = AnyCode> extends Error {
  override readonly name = 'StanzaError';
  readonly code: Code;
  /** What happened, for people: `message` without the code, the request id and the problems. */
  readonly text: string;
  readonly operation: string;
  readonly status: number;
  readonly requestId: string | undefined;
  readonly details: string | undefined;
  readonly errorDetails: string | undefined;
  readonly issues: readonly Issue[];
  readonly requiredScopes: readonly string[];
  readonly userScopes: readonly string[];
  /** The address at which the gateway explains the code; undefined for codes of the client itself. */
  readonly docs: string | undefined;
  readonly retryAfter: number | undefined;
  readonly idempotencyKey: string | undefined;
  readonly replayed: boolean;
  readonly attempts: number;
  /**
   * What the platform says of a connection that broke; it is the `cause` too. The `cause` of `aborted` is the reason of
   * the caller's signal, which tells a timeout from another end.
   */
  readonly fault: ConnectionFault | undefined;

  constructor(failed: Failed<Code>) {
    const cause = failed.reason ?? failed.cause;
    super(messageOf(failed), cause === undefined ? undefined : { cause });
    this.code = failed.code;
    this.text = failed.text;
    this.operation = failed.operation ?? '';
    this.status = failed.status ?? 0;
    this.requestId = failed.requestId;
    this.details = failed.details;
    this.errorDetails = failed.errorDetails;
    this.issues = failed.issues ?? [];
    this.requiredScopes = failed.requiredScopes ?? [];
    this.userScopes = failed.userScopes ?? [];
    this.docs = failed.docs;
    this.retryAfter = failed.retryAfter;
    this.idempotencyKey = failed.idempotencyKey;
    this.replayed = failed.replayed ?? false;
    this.attempts = failed.attempts ?? 0;
    this.fault = failed.cause;
  }

  /** Whether a method threw it; its code is then one of that method's, or the client's. */
  from<Operation extends keyof OperationCodes>(
    operation: Operation,
  ): this is StanzaError<OperationCodes[Operation] | ClientCode> {
    return this.operation === operation;
  }
}
