import { CodedError } from '@stanza/contracts';
import { InvariantError } from '../invariant.ts';

/** SQLSTATE codes, see appendix A of the Postgres manual. */
const uniqueViolation = '23505';
const foreignKeyViolation = '23503';
const queryCanceled = '57014';
/** The wait for a lock timed out; the statement changed nothing. */
const lockNotAvailable = '55P03';
/** Postgres ended the session because its transaction was idle for too long. */
const idleInTransaction = '25P03';
/** Postgres has ended the session: its transaction took too long. */
const transactionTimeout = '25P04';
const repeatable = new Set(['40001', '40P01']);
/** Authentication failed, as while a password is being rotated: nothing was sent. */
const notLetIn = /^28(000|P01)$/;
/** The server takes reads alone, as a standby or one whose disk is full: the statement was refused. */
export const readOnly = '25006';
/** Out of disk or memory: the statement was refused, and its transaction with it. */
const outOfRoom = ['53100', '53200'];
/** No session began: all connections are taken, or the server is starting up or shutting down. */
const notBegun = new Set(['53300', '57P03']);
/** Shutting down, out of other resources, an error of the disk, an idle session ended, and every connection exception. */
const unavailable = /^(08...|57P0[1-5]|53[0-4]00|58030)$/;
const sqlState = /^(?!E[A-Z]+$)[0-9A-Z]{5}$/;
const socketFaults = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
]);
/** `pg` gives these no code. */
const connectionTexts =
  /connection terminated|timeout exceeded when trying to connect|connection timeout|client has encountered a connection error|not queryable|Cannot use a pool after calling end|Query runner already released/i;
/** No connection could be opened: nothing was sent. */
const neverSent =
  /timeout exceeded when trying to connect|connection timeout|after calling end|already released/i;

/** Codes after which nothing of the statement is in the database. */
const undoneCodes = new Set([
  'ECONNREFUSED',
  queryCanceled,
  lockNotAvailable,
  readOnly,
  ...outOfRoom,
  ...notBegun,
  ...repeatable,
]);

interface Facts {
  code: string;
  constraint: string;
  message: string;
}

const property = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The fields of a Postgres error, also when wrapped by TypeORM. */
const factsOf = (error: unknown): Facts => {
  const inner = property(error, 'driverError') ?? error;
  return {
    code: asText(property(inner, 'code')),
    constraint: asText(property(inner, 'constraint')),
    message: asText(property(inner, 'message')),
  };
};

/**
 * A statement or a commit that Postgres has not answered. Whatever the socket, TLS or the driver call it, the connection
 * is lost, and only the statement itself can say whether it happened.
 */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';

  constructor(cause: unknown) {
    super('the connection to Postgres was lost', { cause });
  }
}

/** Errors of the program itself, which would come back with every connection. */
const ownFaults = [TypeError, RangeError, SyntaxError, InvariantError, CodedError];

const isLost = (error: unknown): boolean =>
  error instanceof Error &&
  !ownFaults.some((fault) => error instanceof fault) &&
  !sqlState.test(factsOf(error).code);

/**
 * Waits for an answer of Postgres.
 * @throws ConnectionLost where none comes
 */
export const answered = async <T>(answer: Promise<T>): Promise<T> => {
  try {
    return await answer;
  } catch (error) {
    throw isLost(error) ? new ConnectionLost(error) : error;
  }
};

const causeOf = (error: unknown): unknown => (error instanceof CodedError ? error.cause : error);

/** True for a violation of a unique constraint or index; of the named one when a name is given. */
export const isUniqueViolation = (error: unknown, constraint?: string): boolean => {
  const facts = factsOf(error);
  return facts.code === uniqueViolation && (constraint === undefined || facts.constraint === constraint);
};

/** True for a foreign-key violation: the row is still referred to, or its own reference does not exist. */
export const isForeignKeyViolation = (error: unknown): boolean => factsOf(error).code === foreignKeyViolation;

/** True for a serialization failure or a deadlock: the transaction was rolled back and is retried. */
export const isRepeatable = (error: unknown): boolean => repeatable.has(factsOf(causeOf(error)).code);

/** True when a statement has waited for a lock for too long, also where it is told as `service_unavailable`. */
export const isLockTimeout = (error: unknown): boolean => factsOf(causeOf(error)).code === lockNotAvailable;

/** True for transient errors of the database: lost, full, too slow, or refusing connections. */
export const isDatabaseFault = (error: unknown): boolean => {
  if (error instanceof ConnectionLost) return true;
  const { code, message } = factsOf(error);
  // TypeORM wraps what the driver throws.
  if (property(error, 'driverError') !== undefined && isLost(property(error, 'driverError'))) return true;
  return (
    unavailable.test(code) ||
    undoneCodes.has(code) ||
    notLetIn.test(code) ||
    code === idleInTransaction ||
    code === transactionTimeout ||
    socketFaults.has(code) ||
    (code === '' && connectionTexts.test(message))
  );
};

/** Seconds after which a caller may retry. */
const retryAfterSeconds = 1;

const isCertainlyUndone = (error: unknown): boolean => {
  const { code, message } = factsOf(error instanceof ConnectionLost ? error.cause : error);
  return undoneCodes.has(code) || notLetIn.test(code) || neverSent.test(message);
};

/**
 * Turns the loss, overload or timeout of the database into `service_unavailable`; other errors are returned unchanged.
 * @param undone true when the work is certainly not in the database
 */
export const fromDatabase = (error: unknown, undone: boolean): unknown => {
  if (error instanceof CodedError || !isDatabaseFault(error)) return error;
  const nothing_done = undone || isCertainlyUndone(error);
  const consequence = nothing_done ? 'Nothing was changed.' : 'The change may have happened.';
  return new CodedError(
    'service_unavailable',
    { message: `The database is unavailable. ${consequence}`, retry_after: retryAfterSeconds, nothing_done },
    { cause: error },
  );
};
