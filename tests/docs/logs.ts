import { serviceNames } from '@stanza/contracts';
import { logBaseFields, logFieldGroups, logLevels } from '@stanza/runtime';
import { z } from 'zod';
import { type LogMessage, logMessages } from './log-messages.ts';
import { logRemedies } from './log-remedies.ts';

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

const rowOf = ({ message, level, fields }: LogMessage): string => {
  const own = fields.map((it) => `\`${it}\``).join(' ') || '–';
  return `| ${[message, level, own, ...(logRemedies[message] ?? ['–', '–'])].join(' | ')} |`;
};

const messageTable = (all: readonly LogMessage[], title: string, folder: string): string => {
  const rows = all.filter((it) => it.file.startsWith(folder)).map(rowOf);
  if (rows.length === 0) return '';
  const head = '| `msg` | level | its own fields | cause | what to do |\n|---|---|---|---|---|';
  return `### ${title}\n\n${head}\n${[...new Set(rows)].sort().join('\n')}\n`;
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

Every process writes one JSON object a line to its standard output, and nothing else. Invalid settings are reported on standard error, one a line, since the log has not begun yet.
\`STANZA_LOG_LEVEL\` sets the least severe level that is written, \`info\` by default. Fields and messages keep their names and meanings. New ones may be
added, so readers must ignore those that they do not know.

The gateway writes one line \`request\` for each request; delivery writes \`chat call\` for each call of the chat platform and \`delivery attempt\` for each attempt at a
destination. \`request_id\` and \`trace_id\` are the same in the lines of all services; \`operation_id\` and \`message_id\` are also in the message log.

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

No line has other fields. Lines written during an operation also have \`request_id\`, \`operation\`, \`organization_id\` and \`trace_id\`, where these are
known.

${groups()}

## Data that is never logged

- **Keys, tokens, passwords, secrets**: no field is for them. If an object that holds one is logged by mistake, the values of \`authorization\`, \`cookie\`,
  \`token\`, \`password\`, \`secret\`, \`key\` and similar names are replaced by \`[redacted]\`, at any depth.
- **Content**: templates, data, events, messages, answers of other systems, e-mail addresses. Statements are logged without their values.
- **Raw paths**: \`path\` holds the words of the API and UUIDs; every other part is \`*\`, and the query is omitted. A key in an address by mistake
  is not logged.
- **Values inside errors**: of an error only its type, message, code, constraint, stack and causes are written. In these texts, passwords and queries
  of addresses, and text that looks like a token, are replaced by \`[redacted]\`; so are invalid values that Postgres or the JSON parser quotes.

\`request_id\` is the only text of a client that is logged unchanged: letters, digits, \`.\`, \`_\` and \`-\`.

## Client address and user agent

\`client_address\` is the address of the connection, unless that is one of \`STANZA_TRUSTED_PROXIES\`. Then it is the address in
the header \`STANZA_FORWARDED_HEADER\` (\`X-Forwarded-For\` or \`Forwarded\`), read from its end up to the first address that is not a trusted proxy. Entries
that the client wrote itself are ignored. \`user_agent\` is the client's \`User-Agent\`: one line of printable ASCII, at most 256
characters, with text that looks like a secret replaced by \`[redacted]\`. Both are in the line \`request\` and in the [audit log](people.md#the-audit-log). They
are personal data: keep logs no longer than you need them.

## Traces

With an OpenTelemetry endpoint among the settings (\`OTEL_EXPORTER_OTLP_ENDPOINT\`) each request is one trace. The gateway continues the
\`traceparent\` of the client, or begins a trace; the called services, their statements and the calls of the chat platform belong to it. Later
work belongs to the same trace: messages of the outbox, the batch that a push began, its digest or delivery, the actions of an
interaction. The traces of the other pushes of a batch end with the push, and a scheduled message has a trace of its own. Destinations and the chat
platform get no trace headers. Spans hold names of operations and ids, and nothing that a log line would not hold.

## Messages

${messages(logMessages())}`;
