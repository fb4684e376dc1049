import { serviceNames } from '@stanza/contracts';
import { z } from 'zod';

/** Levels, the least first; `STANZA_LOG_LEVEL` names the least that is written. */
export const logLevels = {
  debug: 'details for debugging Stanza itself',
  info: 'normal operation',
  warn: 'a failure that is retried, or a condition that needs an operator’s attention',
  error: 'an unexpected failure, or one that is not retried',
  fatal: 'the last line: the process exits',
} as const;

/** The fields of an error in a line, without the rows, requests and bodies that errors carry. */
export interface LoggedError {
  type?: string | undefined;
  message: string;
  code?: string | undefined;
  constraint?: string | undefined;
  stack?: string | undefined;
  cause?: LoggedError | undefined;
}

const loggedError: z.ZodType<LoggedError> = z.lazy(() =>
  z.strictObject({
    type: z.string().optional(),
    message: z.string(),
    code: z.string().optional(),
    constraint: z.string().optional(),
    stack: z.string().optional(),
    cause: loggedError.optional(),
  }),
);

const text = (meaning: string) => z.string().optional().describe(meaning);
const id = (meaning: string) => z.uuid().optional().describe(meaning);
const word = (meaning: string) =>
  z
    .string()
    .regex(/^[\w.-]+$/)
    .optional()
    .describe(meaning);
const whole = (meaning: string) => z.int().nonnegative().optional().describe(meaning);
const flag = (meaning: string) => z.boolean().optional().describe(meaning);
const names = (meaning: string) => z.array(z.string()).readonly().optional().describe(meaning);

/** Fields of every line. */
const base = {
  time: z.iso.datetime().describe('timestamp in UTC, with milliseconds'),
  level: z.enum(['debug', 'info', 'warn', 'error', 'fatal']).describe('severity; see above'),
  service: z.enum([...serviceNames, 'front', 'migrate', 'setup']).describe('service, or set-up process'),
  msg: z.string().min(1).describe('event: a fixed text for each kind of line'),
};

/** Optional fields of a line, by subject. */
export const logFieldGroups = {
  'Request, caller and subject': {
    request_id: word('id of the request, as in `X-Request-Id` of its response'),
    operation_id: id('id of the work that the request started; charges and messages carry it'),
    trace_id: z
      .string()
      .regex(/^[0-9a-f]{32}$/)
      .optional()
      .describe('id of the W3C trace, if the request belongs to one'),
    operation: word('operation, as in `/openapi.json`; `none` if no route matches'),
    organization_id: id('organization'),
    environment: z.enum(['production', 'preview']).optional().describe('environment of the organization'),
    actor: word('actor: user, key or operator'),
    client_address: text('IP address of the client; see "Client address and user agent"'),
    user_agent: text('header `User-Agent` of the request, truncated, with secrets redacted'),
    message_id: word('id of a message in the message log, or of an outbox row'),
    delivery_id: id('delivery to a destination'),
    destination_id: id('destination'),
    scheduled_message_id: id('scheduled message'),
    interaction_id: id('interaction'),
    dead_letter_id: id('failed job'),
    hash_key_id: word('secret of `STANZA_KEY_HASH_SECRETS`'),
    origin: word('origin of a deferred message: `batch` or `schedule`'),
    origin_id: word('id of the origin'),
    workspace_id: word(
      'workspace of the chat platform; `not-connected-yet` for a token that is being checked',
    ),
  },
  'Requests and calls': {
    method: word('HTTP method'),
    path: text('path without its query; `*` replaces each part that is neither an API keyword nor a UUID'),
    status: word('HTTP status of the response; `aborted` if the client disconnected first'),
    code: word('code of a coded error, see the error codes'),
    replay_of: id('operation id of the replayed response'),
    chat_method: word('method of the chat platform'),
    http_status: whole('HTTP status of the called system, or the status that an operator settled with'),
    outcome: word('`ok`, `delivered`, an error name of the called system, or the kind of connection failure'),
    error: word('kind of connection failure'),
    attempt: whole('number of the attempt, from 1'),
    ms: whole('duration in this process, milliseconds'),
    latency_ms: whole('duration of the call, milliseconds'),
  },
  'Failures and work': {
    err: loggedError
      .optional()
      .describe('error: `type`, `message`, `code`, `constraint`, `stack`, and `cause` of the same shape'),
    reason: text('reason, in Stanza’s words'),
    refusal: word('error name for a token that the chat platform rejects'),
    failure: word('error code of the connection to the mail server'),
    response_code: whole('reply code of the mail server'),
    job: word('background job, or kind of an outbox row'),
    step: text('step of the shutdown'),
    event: word('event of another service'),
    subject: text('NATS subject'),
    rate: word('rate limit that requests count against'),
    kind: word('kind of interaction'),
    schema: word('schema of the database'),
    applied: names('migrations applied by this run'),
    missing: names('migrations that the schema lacks'),
    unknown: names('applied migrations that this version does not know'),
    unhandled: names('operations of the service that have no handler'),
    undeclared: names('handled operations that belong to another service or have two handlers'),
    statement: word('name of a statement'),
    sql: text('unnamed statement, without its values'),
    day: text('day of a partition'),
    count: whole('number of items that `msg` names'),
    result: word('outcome'),
  },
  'Processes and switches': {
    metrics_port: whole('port of `/metrics`, `/livez` and `/readyz`'),
    address: z
      .union([z.string(), z.strictObject({ address: z.string(), family: z.string(), port: z.int() })])
      .nullable()
      .optional()
      .describe('listen address: `address`, `family`, `port`'),
    clean: flag('true if the shutdown completed without failure and in time'),
    on: flag('true when it is on'),
    freed: flag('true when the key can be used again'),
  },
} as const;

const {
  'Request, caller and subject': about,
  'Requests and calls': calls,
  'Failures and work': work,
  'Processes and switches': process,
} = logFieldGroups;
const fields = z.strictObject({ ...about, ...calls, ...work, ...process });

/** A log line of any process; other fields are refused. */
export const logLineSchema = z.strictObject({ ...base, ...fields.shape });

/** Fields of every line, for the docs. */
export const logBaseFields = base;

/** Fields that a caller may log; `err` takes the error as caught. */
export type LogFields = Omit<z.input<typeof fields>, 'err'> & { err?: unknown };
