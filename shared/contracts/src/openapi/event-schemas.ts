import { anyPublicEvent, publicEvents } from '../public-events/catalogue.ts';
import { isJsonObject, type JsonObject, SchemaCollector } from './schemas.ts';

const withinFile = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withinFile);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === '$ref' && typeof inner === 'string'
        ? inner.replace('#/components/schemas/', '#/$defs/')
        : withinFile(inner),
    ]),
  );
};

const schemas = (): { all: JsonObject; named: JsonObject } => {
  const collector = new SchemaCollector('open');
  const all = collector.convert(anyPublicEvent, 'output');
  return { all, named: collector.components };
};

/** The JSON Schemas of all events in one file; a schema of one event is `#/$defs/MessageSentEvent`. */
export const eventSchemasFile = (): string => {
  const { all, named } = schemas();
  const file = { $schema: 'https://json-schema.org/draft/2020-12/schema', title: 'Events of Stanza', ...all };
  const lines = Object.entries(named).map(
    ([name, schema]) => `${JSON.stringify(name)}: ${JSON.stringify(withinFile(schema))}`,
  );
  // A line for each event, so that a change shows where it is.
  return `${JSON.stringify(withinFile(file)).slice(0, -1)}, "$defs": {\n${lines.join(',\n')}\n}}\n`;
};

/** The schema that a reference names; another one as it is. */
const meantBy = (schema: unknown, named: JsonObject): unknown =>
  isJsonObject(schema) && typeof schema.$ref === 'string'
    ? named[schema.$ref.split('/').at(-1) ?? '']
    : schema;

const typeOf = (schema: JsonObject): string => {
  if (schema.const !== undefined) return `\`${String(schema.const)}\``;
  if (Array.isArray(schema.enum) && schema.enum.length <= 8)
    return schema.enum.map((it) => `\`${String(it)}\``).join(' ');
  if (typeof schema.$ref === 'string') return String(schema.$ref.split('/').at(-1));
  return schema.format === undefined ? String(schema.type ?? 'any') : String(schema.format);
};

const fieldsOf = (schema: unknown, named: JsonObject): string => {
  if (!isJsonObject(schema) || !isJsonObject(schema.properties)) return '';
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(schema.properties)
    .map(([name, field]) => {
      if (!isJsonObject(field)) return '';
      const always = required.includes(name) ? 'yes' : 'no';
      const meant = meantBy(field, named);
      const type = isJsonObject(meant) && meant.type === 'object' ? 'object' : typeOf(field);
      return `| \`${name}\` | ${type} | ${always} | ${field.description ?? ''} |`;
    })
    .join('\n');
};

const section = (event: (typeof publicEvents)[number], named: JsonObject): string => {
  const { [event.schemaName]: schema } = named;
  const { data } = isJsonObject(schema) && isJsonObject(schema.properties) ? schema.properties : {};
  return `## \`${event.type}\`

${event.when} Its subject is \`${event.subject}\`. The schema is \`${event.schemaName}\`.

| field of \`data\` | type | always | meaning |
|---|---|---|---|
${fieldsOf(meantBy(data, named), named)}

\`\`\`json
${JSON.stringify(event.example, undefined, 2)}
\`\`\`
`;
};

const introduction = `# Events

Stanza can notify your services of events, such as a failed message, low credits or a template that went live. A subscription names a
[destination](destinations.md) and the event types to deliver. Each event is one signed request.

\`\`\`sh
KEY=stz_…
API=http://127.0.0.1:8787
curl -s $API/v1/destinations -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' -d '{
  "name": "On call", "key": "on-call", "url": "https://oncall.example.com/stanza", "retry_enabled": true, "max_retries": 5
}'
curl -s $API/v1/event-subscriptions -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' -d '{
  "destination_key": "on-call",
  "types": ["message.failed", "message.unknown", "credits.low"]
}'
curl -s "$API/v1/events?type=message.failed" -H "Authorization: Bearer $KEY"
\`\`\`

A subscription belongs to one environment and gets only the events of that environment. Reading a subscription requires the scope
\`destinations:read\`; creating, changing and deleting one requires \`destinations:write\`. Creating one, or a change that forwards more events,
also requires \`usage:read\`.

## The request to a destination

\`\`\`json
{
  "id": "01938c2e-7b1a-7c3d-9e4f-0000a1b2c3d4",
  "type": "message.sent",
  "created_at": "2026-11-21T08:30:00.000Z",
  "organization_id": "01938c2e-7b1a-7c3d-9e4f-00004d1f9a02",
  "environment": "production",
  "data": {}
}
\`\`\`

- **Recording.** An event is recorded in the transaction that it reports, if an active subscription includes its type at that
  moment. Without a subscription nothing is recorded, and a later subscription gets no earlier events.
- **At-least-once delivery.** If the destination has \`retry_enabled\`, Stanza retries an event until it gets a 2xx response or reaches
  \`max_retries\`. An event can therefore arrive twice. \`id\` and \`webhook-id\` are the same each time: use one of them to detect duplicates. \`id\` is the same for
  all destinations; \`webhook-id\` identifies the delivery to one destination. Without \`retry_enabled\` there is one attempt.
- **Order per subject.** An event waits while an earlier event of the same subject, for example the same message, waits for
  the same destination. Events of different subjects arrive in any order. A manual retry arrives after the deliveries in between.
- **Replay.** Failed deliveries are in \`GET /v1/destinations/{id}/deliveries?status=failed\`, with the origin \`event\`.
  \`POST …/deliveries/{delivery_id}/retry\` delivers one again.
- **Listing.** \`GET /v1/events\` lists the recorded events, newest first, filtered by type and time. It requires the scope \`usage:read\`. Events are kept
  for \`STANZA_EVENT_DAYS\`, by default 30.
- **Compatibility.** \`data\` may gain fields, and new types may be added. A subscription gets only the types that it names.

Events are signed like every delivery: see [destinations](destinations.md). With the SDK, \`verify\` checks the signature and types the event:

<!-- not run: it is a handler of a server -->
\`\`\`ts
const { payload: event } = await verify<PublicEvent>(request, { secret });
if (event.type === 'message.failed') console.log(event.data.message_id, event.data.error);
\`\`\`

[events.schema.json](events.schema.json) has the JSON Schema of each event.

Metrics of the delivery service: \`stanza_events_total\` by type, \`stanza_event_deliveries_total\` by status.
`;

/** The documentation page of all events, in Markdown. */
export const eventsPage = (): string => {
  const { named } = schemas();
  const table = publicEvents.map(
    ({ type, when }) => `| [\`${type}\`](#${type.replace('.', '')}) | ${when} |`,
  );
  return `${introduction}
## Event types

| type | when |
|---|---|
${table.join('\n')}

${publicEvents.map((event) => section(event, named)).join('\n')}`;
};
