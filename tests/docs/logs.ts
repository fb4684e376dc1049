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
  const head = '| `msg` | level | specific fields | cause | remedy |\n|---|---|---|---|---|';
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

Every process writes only JSON lines to its standard output. Invalid settings are reported on standard error, one per line, before the log starts.
\`STANZA_LOG_LEVEL\` sets the lowest severity that is logged, \`info\` by default. Fields and messages keep their names and meanings. New ones may be
added, so parsers must ignore unknown ones.

The gateway writes one \`request\` line for each request. Delivery writes a \`chat call\` line for each call of the chat platform, and a \`delivery attempt\` line for each attempt at a
destination. \`request_id\` and \`trace_id\` are the same in the lines of all services; \`operation_id\` and \`message_id\` are also in the message log.

Generated from the schema of the loggers and from the code by \`npm run docs\`.

## Levels

| level | meaning |
|---|---|
${Object.entries(logLevels)
  .map(([level, meaning]) => `| \`${level}\` | ${meaning} |`)
  .join('\n')}

## Common fields

${fieldTable(logBaseFields)}

## Optional fields

Lines have no other fields. Lines of an operation also have \`request_id\`, \`operation\`, \`organization_id\` and \`trace_id\`, if they are
known.

${groups()}

## Data that is never logged

- **Keys, tokens, passwords, secrets**: no field holds them. If an object that contains one is logged by mistake, the values of \`authorization\`, \`cookie\`,
  \`token\`, \`password\`, \`secret\`, \`key\` and similar names are replaced by \`[redacted]\`, at any depth.
- **Content**: templates, data, events, messages, responses of other systems, e-mail addresses. Statements are logged without their values.
- **Raw paths**: \`path\` contains only API keywords and UUIDs; every other part is \`*\`, and the query is omitted. A key that is put in an address
  by mistake is therefore not logged.
- **Values inside errors**: only the type, message, code, constraint, stack and causes of an error are written. In these texts, passwords and queries
  of addresses, and text that looks like a token, are replaced by \`[redacted]\`; so are invalid values that Postgres or the JSON parser quotes.

\`request_id\` is the only client text that is logged unchanged: letters, digits, \`.\`, \`_\` and \`-\`.

## Client address and user agent

\`client_address\` is the address of the connection. For one of \`STANZA_TRUSTED_PROXIES\` it is taken from
the header \`STANZA_FORWARDED_HEADER\` (\`X-Forwarded-For\` or \`Forwarded\`), read from its end: the first address that is not a trusted proxy. Entries
that the client wrote itself are ignored. \`user_agent\` is the client's \`User-Agent\`: one line of printable ASCII, at most 256
characters, with text that looks like a secret replaced by \`[redacted]\`. Both are in the line \`request\` and in the [audit log](people.md#the-audit-log). They
are personal data: keep logs no longer than you need them.

## Traces

With an OpenTelemetry endpoint (\`OTEL_EXPORTER_OTLP_ENDPOINT\`), each request is one trace. The gateway continues the
\`traceparent\` of the client, or starts a trace. The called services, their statements and the calls of the chat platform belong to it. Later
work belongs to the same trace: outbox messages, the batch that a push opened, its digest or delivery, the actions of an
interaction. The traces of other pushes to the batch end with the push, and a scheduled message has its own trace. Destinations and the chat
platform get no trace headers. Spans contain only operation names, ids and data that log lines may contain.

## Messages

${messages(logMessages())}`;
