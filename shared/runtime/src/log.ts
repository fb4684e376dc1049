import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino';

/** A pino logger: `log.info({ field }, 'what happened')`. */
export type Logger = PinoLogger;

/** Field names whose values are never logged, wherever in the first three levels they occur. */
const secretNames = [
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
];

const redactedPaths = secretNames.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]);

/** How many causes behind an error are logged. */
const causesShown = 4;

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/**
 * The parts of an error that are safe to log. Database errors carry row values in `detail`, and HTTP clients carry
 * whole requests, so everything that is not named here is left out.
 */
export const errorFields = (error: unknown, depth = 0): Record<string, unknown> => {
  if (typeof error !== 'object' || error === null || !('message' in error)) {
    return { type: typeof error, message: 'a value that is no error was thrown' };
  }
  const named = (name: string): string | undefined => text(Reflect.get(error, name));
  const cause: unknown = Reflect.get(error, 'cause');
  return {
    type: named('name'),
    message: named('message'),
    code: named('code'),
    constraint: named('constraint'),
    stack: named('stack'),
    ...(cause !== undefined && depth < causesShown && { cause: errorFields(cause, depth + 1) }),
  };
};

/** What `createLogger` takes. */
export interface LoggerOptions {
  /** Name of the service, in every line. */
  name: string;
  level: string;
  /** Where lines go; standard output unless given. */
  destination?: DestinationStream;
}

/** Makes the logger of a process: JSON lines with ISO times, secrets redacted. */
export const createLogger = ({ name, level, destination }: LoggerOptions): Logger =>
  pino(
    {
      level,
      base: { service: name },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: redactedPaths, censor: '[redacted]' },
      serializers: { err: (error: unknown) => errorFields(error) },
      formatters: { level: (label) => ({ level: label }) },
    },
    destination ?? pino.destination({ sync: true }),
  );

/** A logger that says nothing, for tests. */
export const silentLogger = (): Logger => pino({ level: 'silent' });
