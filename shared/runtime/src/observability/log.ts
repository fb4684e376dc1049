import { constants, fstatSync, openSync } from 'node:fs';
import { type DestinationStream, pino } from 'pino';
import { byTurn } from './log-output.ts';
import type { LogFields, LoggedError } from './log-schema.ts';
import { scrubbed } from './scrub.ts';
import { withSourcePositions } from './source-positions.ts';

/** Writes a line: its fields, if any, and its message. */
interface WriteLine {
  (fields: LogFields, what: string): void;
  (what: string): void;
}

/** The log of a service: `log.info({ field }, 'what happened')`. It takes only the fields of the log schema. */
export interface Logger {
  readonly debug: WriteLine;
  readonly info: WriteLine;
  readonly warn: WriteLine;
  readonly error: WriteLine;
  readonly fatal: WriteLine;
  /** A log that adds these fields to each line. */
  child(fields: LogFields): Logger;
}

/** Field names whose values are never logged, at any depth. */
const secretNames = new Set([
  'authorization',
  'cookie',
  'set-cookie',
  'headers',
  'token',
  'access_token',
  'refresh_token',
  'session_token',
  'api_key',
  'apiKey',
  'key',
  'secret',
  'client_secret',
  'signing_secret',
  'password',
  'STANZA_NATS_PASSWORD',
  'STANZA_DATABASE_URL',
]);

/** Deeper than any line of Stanza's; deeper values are not logged. */
const deepest = 8;
const censored = '[redacted]';

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

const redactValue = (value: unknown, depth: number): unknown => {
  if (Array.isArray(value))
    return depth > deepest ? censored : value.map((item) => redactValue(item, depth + 1));
  if (!isPlain(value)) return value;
  return depth > deepest ? censored : redactFields(value, depth + 1);
};

/**
 * Replaces the values of secret names; an object without any is returned unchanged. The logger's own redaction tries
 * every path on every line, which took an eighth of the gateway's time (profile of 64 connections compiling).
 */
export const redactFields = (fields: Record<string, unknown>, depth = 0): Record<string, unknown> => {
  let copy: Record<string, unknown> | undefined;
  for (const [name, value] of Object.entries(fields)) {
    const shown = value !== undefined && secretNames.has(name) ? censored : redactValue(value, depth);
    if (shown === value) continue;
    copy ??= { ...fields };
    copy[name] = shown;
  }
  return copy ?? fields;
};

/** Causes of an error that are logged. */
const causesShown = 4;
/** Characters of a message and of a stack that are logged: enough for any that says something. */
const longestMessage = 4_096;
const longestStack = 16_384;

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/**
 * The parts of an error that are safe to log. Database errors carry row values in `detail`, and HTTP clients carry
 * whole requests, so all other fields are left out, and texts are scrubbed of quoted values.
 */
export const errorFields = (error: unknown, depth = 0): LoggedError => {
  if (typeof error !== 'object' || error === null || !('message' in error)) {
    return { type: typeof error, message: 'a value that is not an error was thrown' };
  }
  const named = (name: string): string | undefined => text(Reflect.get(error, name));
  const cause: unknown = Reflect.get(error, 'cause');
  const facts = { type: named('name'), code: named('code') };
  const message = named('message') ?? '';
  const shown = scrubbed(message.slice(0, longestMessage), facts);
  const stack = named('stack')
    ?.replace(message, () => shown)
    .slice(0, longestStack);
  return {
    ...facts,
    message: shown,
    constraint: named('constraint'),
    stack: stack === undefined ? undefined : scrubbed(withSourcePositions(stack), {}),
    ...(cause !== undefined && depth < causesShown && { cause: errorFields(cause, depth + 1) }),
  };
};

/** Options of {@link createLogger}. */
export interface LoggerOptions {
  /** Name of the service, in every line. */
  name: string;
  level: string;
  /** Destination of lines; standard output unless given. */
  destination?: DestinationStream;
}

/** Bytes of lines that wait for a disk with space, or for a reader. */
const maxUnwritten = 1024 * 1024;

/** Milliseconds after which a full pipe is tried again. */
const againMs = 20;

/** Tries in a row that find a pipe full before that counts as a failure: its reader may only be slow. */
const patience = 15;

/** A pipe that is opened again refuses what it has no room for. As it was given, it holds the process up until it is read. */
const unhindered = (fd: number): number => {
  try {
    const flags = constants.O_WRONLY | constants.O_NONBLOCK;
    return fstatSync(fd).isFIFO() ? openSync(`/proc/self/fd/${fd}`, flags) : fd;
  } catch {
    return fd;
  }
};

/**
 * Standard output, for all services of the process; flushed as it ends. A failed write, as on a full disk or to a pipe
 * that is no longer read, must not end or stop the service: its lines are written with later ones, and beyond
 * {@link maxUnwritten} they are dropped.
 * @param failed called for each failed write
 */
export const standardOutput = (failed: () => void = () => undefined, fd = 1): DestinationStream => {
  let isLast = false;
  let refusals = 0;
  let isWaiting = false;
  // The library would hold the process up for a tenth of a second; only one that ends has nothing else to do.
  const retryEAGAIN = (): boolean => isLast && refusals++ < patience;
  const out = pino.destination({ dest: unhindered(fd), sync: true, maxLength: maxUnwritten, retryEAGAIN });
  const tryAgain = (): void => {
    isWaiting = false;
    out.write('');
  };
  out.on('error', (error: NodeJS.ErrnoException) => {
    const isFull = error.code === 'EAGAIN';
    if (!isFull || ++refusals > patience) failed();
    if (!isFull || isWaiting) return;
    isWaiting = true;
    setTimeout(tryAgain, againMs).unref();
  });
  out.on('write', () => {
    refusals = 0;
  });
  const output = byTurn(out);
  process.once('exit', () => {
    isLast = true;
    output.flushSync();
  });
  return output;
};

/** Creates the logger of a service: JSON lines with ISO times, secrets redacted. */
export const createLogger = ({ name, level, destination }: LoggerOptions): Logger =>
  pino(
    {
      level,
      base: { service: name },
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: (error: unknown) => errorFields(error) },
      formatters: { level: (label) => ({ level: label }), log: (fields) => redactFields(fields) },
    },
    destination ?? standardOutput(),
  );

/** A logger without output, for tests. */
export const silentLogger = (): Logger => pino({ level: 'silent' });
