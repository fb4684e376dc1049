import { serviceNames } from '@stanza/contracts';
import { logBaseFields, logFieldGroups, logLevels } from '@stanza/runtime';
import { z } from 'zod';
import { type LogMessage, logMessages } from './log-messages.ts';

const facts = z.object({
  type: z.string().optional(),
  enum: z.array(z.string()).optional(),
  format: z.string().optional(),
  description: z.string(),
});

/** What a field holds, for people. */
const typeOf = (schema: z.ZodType): string => {
  const known = facts.parse(z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }));
  if (known.enum) return known.enum.map((it) => `\`${it}\``).join(' ');
  if (known.format === 'uuid') return 'UUID';
  if (known.format === 'date-time') return 'ISO 8601';
  const names: Record<string, string> = { integer: 'whole number', string: 'text', array: 'list of texts' };
  return names[known.type ?? ''] ?? known.type ?? 'object';
};

const fieldTable = (fields: Record<string, z.ZodType>): string =>
  [
    '| field | type | meaning |',
    '|---|---|---|',
    ...Object.entries(fields).map(
      ([name, schema]) => `| \`${name}\` | ${typeOf(schema)} | ${schema.description} |`,
    ),
  ].join('\n');

const groups = (): string =>
  Object.entries(logFieldGroups)
    .map(([title, fields]) => `### ${title}\n\n${fieldTable(fields)}`)
    .join('\n\n');

const rowOf = ({ message, level, fields }: LogMessage): string =>
  `| ${message} | ${level} | ${fields.map((it) => `\`${it}\``).join(' ') || '–'} |`;

const messageTable = (all: readonly LogMessage[], title: string, folder: string): string => {
  const rows = all.filter((it) => it.file.startsWith(folder)).map(rowOf);
  if (rows.length === 0) return '';
  return `### ${title}\n\n| \`msg\` | level | its own fields |\n|---|---|---|\n${[...new Set(rows)].sort().join('\n')}\n`;
};

const messages = (all: readonly LogMessage[]): string =>
  [
    messageTable(all, 'Every process', 'shared/runtime/'),
    ...serviceNames.map((service) => messageTable(all, `The ${service} service`, `services/${service}/`)),
    messageTable(all, 'Set-up and the front', 'deploy/local/'),
  ]
    .filter((it) => it !== '')
    .join('\n');

/** The page of the log, in Markdown. */
export const logsPage = (): string => `# The log

Every process writes one JSON object a line to its standard output, and nothing else. Settings that it cannot take are told before there is a
log, one a line, on standard error. \`STANZA_LOG_LEVEL\` sets the least level that is
written, \`info\` by default. Fields and messages keep their names and meanings; new ones may come, so let readers pass over what they do not know.

One line a request: \`request\`, of the gateway. One a call of the chat platform: \`chat call\`. One an attempt at a destination: \`delivery attempt\`.
\`request_id\` and \`trace_id\` lead from one service to the next, and \`operation_id\` and \`message_id\` from the log to the message log.

Made from the schema that the loggers are typed with, and from the code, by \`npm run docs\`.

## Levels

| level | meaning |
|---|---|
${Object.entries(logLevels)
  .map(([level, meaning]) => `| \`${level}\` | ${meaning} |`)
  .join('\n')}

## Fields that every line has

${fieldTable(logBaseFields)}

## Fields that a line may have

No line has others. Lines written while an operation is worked on bear \`request_id\`, \`operation\`, \`organization_id\` and \`trace_id\` as far as they are
known, besides those of their own.

${groups()}

## What is never in it

- **Keys, tokens, passwords, secrets**: no field takes one. Should an object with one get in all the same, the values of \`authorization\`, \`cookie\`,
  \`token\`, \`password\`, \`secret\`, \`key\` and names like these read \`[redacted]\`, at any depth.
- **Content**: templates, data, events, messages, answers of other sides, addresses of mails. Statements are shown without their values.
- **Paths as they came**: \`path\` shows the words of the API and UUIDs; all else is \`*\`, and the query is left out. A key that got into an
  address by mistake is not in the log.
- **What errors carry**: of an error only its type, message, code, constraint, stack and causes are written. In its texts, passwords and queries of
  addresses, and what looks like a token, read \`[redacted]\`; so does what stands in quotes where Postgres or a reader of JSON quotes the value
  that it could not take.

\`request_id\` is the one text of a client's that is written as it came: letters, digits, \`.\`, \`_\` and \`-\`.

## Where a request came from

\`client_address\` is the address of the connection, unless that is one of \`STANZA_TRUSTED_PROXIES\`: then it is the address that the proxy names in
the header \`STANZA_FORWARDED_HEADER\` (\`X-Forwarded-For\` or \`Forwarded\`), read from its end up to the first address that is no trusted proxy. What a
client writes into such a header itself is never believed. \`user_agent\` is what the client calls itself: one line of printable ASCII, at most 256
characters, in which what looks like a secret reads \`[redacted]\`. Both are in the line \`request\` and in the [audit log](people.md#the-audit-log). They
are data of persons: keep logs no longer than you need them.

## Traces

With an endpoint of OpenTelemetry among the settings (\`OTEL_EXPORTER_OTLP_ENDPOINT\`) each request is one trace: the gateway goes on with the
\`traceparent\` of its client, or begins one, and so do all services that it calls, their statements and the calls of the chat platform. What is
done later goes on with it: messages of the outbox, a batch with the push that began it, its digest or delivery, the actions of an
interaction. The other pushes of a batch end with themselves, and a scheduled message is a trace of its own. Destinations and the chat platform
are told nothing of traces. Spans bear names of operations and ids, and nothing that a log line would not.

## Messages

${messages(logMessages())}`;
