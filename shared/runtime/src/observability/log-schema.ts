import { serviceNames } from '@stanza/contracts';
import { z } from 'zod';

/** Levels, the least first; `STANZA_LOG_LEVEL` names the least that is written. */
export const logLevels = {
  debug: 'for people who look for a fault in Stanza itself',
  info: 'what happened, as it should',
  warn: 'went wrong and mends itself, or is for an operator to know',
  error: 'went wrong and was not foreseen, or does not mend itself',
  fatal: 'the last line: the process ends',
} as const;

/** What a line shows of an error: never the rows, requests and bodies that errors carry. */
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

/** What every line has. */
const base = {
  time: z.iso.datetime().describe('when, in UTC, with milliseconds'),
  level: z.enum(['debug', 'info', 'warn', 'error', 'fatal']).describe('how bad it is; see above'),
  service: z
    .enum([...serviceNames, 'front', 'migrate', 'setup'])
    .describe('which service, or which process of the set-up'),
  msg: z.string().min(1).describe('what happened: always the same words for the same thing'),
};

/** What a line may have besides, by what it is about. */
export const logFieldGroups = {
  'Whom it is about': {
    request_id: word('of the request, as its answer has it in `X-Request-Id`'),
    operation_id: id('of what the request set going; charges and messages bear it'),
    trace_id: z
      .string()
      .regex(/^[0-9a-f]{32}$/)
      .optional()
      .describe('W3C trace, where the request belongs to one'),
    operation: word('operation, as in `/openapi.json`; `none` where no route fits'),
    organization_id: id('organization'),
    environment: z.enum(['production', 'preview']).optional().describe('environment of the organization'),
    actor: word('who acts: user, key or operator'),
    client_address: text('IP address that the request came from; see "Where a request came from"'),
    user_agent: text('header `User-Agent` of the request: cut, and without what looks like a secret'),
    message_id: word('message of the message log, or of a stream'),
    delivery_id: id('delivery to a destination'),
    destination_id: id('destination'),
    scheduled_message_id: id('scheduled message'),
    interaction_id: id('interaction'),
    dead_letter_id: id('dead letter'),
    origin: word('what a deferred message is for: `batch`, `schedule`, `interaction` …'),
    origin_id: word('id of that'),
    workspace_id: word(
      'workspace of the chat platform; `not-connected-yet` for a token that is just looked at',
    ),
  },
  'Requests and calls': {
    method: word('HTTP method'),
    path: text('path, with `*` for what is neither a word of the API nor a UUID, and without its query'),
    status: word('status that was answered; `aborted` when the client left before'),
    code: word('code of a coded error, see the error codes'),
    replay_of: id('operation id whose kept answer was given again'),
    chat_method: word('method of the chat platform'),
    http_status: whole('status that the other side answered, or that an operator settled with'),
    outcome: word('`ok`, `delivered`, an error name of the other side, or how the call broke'),
    error: word('how a call broke, in a word'),
    attempt: whole('which attempt it was, from 1'),
    ms: whole('milliseconds that it took here'),
    latency_ms: whole('milliseconds until the other side had answered'),
  },
  'Failures and work': {
    err: loggedError
      .optional()
      .describe('error: `type`, `message`, `code`, `constraint`, `stack`, and its `cause` of the same shape'),
    reason: text('why, in words of ours'),
    refusal: word('error name with which the chat platform refuses a token'),
    failure: word('error code of the connection to the mail server'),
    response_code: whole('reply code of the mail server'),
    job: word('background job'),
    step: text('step of the shutdown'),
    work: word('kind of work of a stream'),
    event: word('event of another service'),
    subject: text('NATS subject'),
    rate: word('rate that requests are counted against'),
    kind: word('kind of interaction'),
    schema: word('schema of the database'),
    applied: names('migrations that were applied now'),
    missing: names('migrations that the schema lacks'),
    unknown: names('migrations that this version does not know'),
    unhandled: names('operations of the service that have no handler'),
    undeclared: names('operations that have a handler, and are not of the service or have another one'),
    statement: word('name of a statement'),
    sql: text('statement without a name, without its values'),
    day: text('day of a partition'),
    count: whole('how many, of what `msg` tells'),
    result: word('what became of it'),
  },
  'Processes and switches': {
    metrics_port: whole('port of `/metrics`, `/livez` and `/readyz`'),
    address: z
      .union([z.string(), z.strictObject({ address: z.string(), family: z.string(), port: z.int() })])
      .nullable()
      .optional()
      .describe('where a server listens: `address`, `family`, `port`'),
    clean: flag('whether everything ended well and in time'),
    on: flag('whether it is on now'),
    freed: flag('whether the key can be used again'),
  },
} as const;

const {
  'Whom it is about': about,
  'Requests and calls': calls,
  'Failures and work': work,
  'Processes and switches': process,
} = logFieldGroups;
const fields = z.strictObject({ ...about, ...calls, ...work, ...process });

/** A line of the log of any process; nothing else may be in it. */
export const logLineSchema = z.strictObject({ ...base, ...fields.shape });

/** What every line has, for those who tell of it. */
export const logBaseFields = base;

/** What may be said in a line; an error is given as it was caught. */
export type LogFields = Omit<z.input<typeof fields>, 'err'> & { err?: unknown };
