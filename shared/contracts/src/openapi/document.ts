import { z } from 'zod';
import { type HttpOperation, takesIfMatch, takesIfNoneMatch } from '../operation.ts';
import { rateOf, rates } from '../rates.ts';
import { httpOperations } from '../registry.ts';
import { errorResponses, errorSchemas, jsonTypeOf, responseHeaders } from './errors.ts';
import { exampleId, exampleOf } from './examples.ts';
import { fixedComponents } from './fixed-components.ts';
import { type JsonObject, type Replies, SchemaCollector } from './schemas.ts';
import { type Placement, SharedComponents } from './shared-components.ts';
import { tagOf, tagsOf } from './tags.ts';
import { webhooks } from './webhooks.ts';

/** The version of the interface, which differs from that of the product: releases that change no operation keep it. */
const interfaceVersion = '0.0.1';

const camelId = (id: string): string => id.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The singular of the path segment before a parameter: the owner of the id. */
const ownerIn = (path: string, name: string): string =>
  (path.split(`/{${name}}`)[0]?.split('/').at(-1) ?? '').replace(/ies$/, 'y').replace(/s$/, '');

/** The name of a parameter among those that operations share; a bare `id` is that of the resource before it. */
const sharedName = (path: string, name: string): string => {
  const words = name === 'id' ? `${ownerIn(path, name)}_id` : name;
  return words.replace(/(?:^|[_-])([a-z])/g, (_, letter: string) => letter.toUpperCase());
};

const parametersOf = (
  { path, params, query }: HttpOperation,
  place: 'path' | 'query',
  collector: SchemaCollector,
  shared: SharedComponents,
): JsonObject[] =>
  Object.entries((place === 'path' ? params : query)?.shape ?? {}).map(([name, field]) => {
    const { description, ...json } = collector.convert(field, 'input');
    const isDemanded = z.globalRegistry.get(field)?.isDemanded === true;
    const optional = !isDemanded && field.safeParse(undefined).success;
    const own = sharedName(path, name);
    return shared.refer('parameters', place === 'path' ? [own, `${own}InPath`] : [own], {
      name,
      in: place,
      required: place === 'path' || !optional,
      ...(description === undefined ? {} : { description }),
      schema: json,
      ...(json.format === 'uuid' ? { example: exampleId(name, ownerIn(path, name)) } : {}),
    });
  });

const headerParameters = (operation: HttpOperation): JsonObject[] => [
  { $ref: '#/components/parameters/RequestId' },
  ...(operation.idempotent ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  ...(operation.takesSource ? [{ $ref: '#/components/parameters/SourceAuthorization' }] : []),
  ...(takesIfNoneMatch(operation) ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []),
  ...(takesIfMatch(operation) ? [{ $ref: '#/components/parameters/IfMatch' }] : []),
  ...(operation.answers === 'stream' ? [{ $ref: '#/components/parameters/LastEventId' }] : []),
];

const tokenText = (operation: HttpOperation): string => {
  const role = operation.role ? ` The role must be ${operation.role} or wider.` : '';
  if (operation.access === 'any_token') return `Any valid token.${role}`;
  if (operation.access === 'session') return `A session token, not an API key.${role}`;
  return `Scope \`${operation.access}\`.${role}`;
};

const accessText = (operation: HttpOperation): string => {
  if (operation.access === 'public') return 'Public.';
  if (operation.access === 'signed') return 'Authenticated by a signature.';
  const wide = operation.organizationWide ? ' Not with a key or token of preview.' : '';
  return `${tokenText(operation)}${wide}`;
};

const rateText = (operation: HttpOperation): string | undefined => {
  const name = rateOf(operation);
  if (name === undefined) return undefined;
  const { requests, seconds } = rates[name];
  return `Counts against the ${name} rate: ${requests} requests in ${seconds} seconds.`;
};

const describe = (operation: HttpOperation): string =>
  [operation.description, accessText(operation), rateText(operation)]
    .filter((line) => line !== undefined)
    .join('\n\n');

/** A list's reply as sent by the gateway: with its older collection key where it has one. */
const replySchema = ({ reply, legacyListKey }: HttpOperation, collector: SchemaCollector): JsonObject => {
  if (legacyListKey === undefined || !(reply instanceof z.ZodObject))
    return collector.convert(reply, 'output');
  const data: z.ZodType = reply.shape.data;
  const older = {
    [legacyListKey]: data.describe('The same as `data`, for older clients.'),
    total: z.int(),
    limit: z.int(),
    offset: z.int(),
  };
  return collector.convert(reply.extend(older), 'output');
};

const formBody = (form: z.ZodObject, { example }: HttpOperation, collector: SchemaCollector): JsonObject => ({
  requestBody: {
    required: true,
    content: {
      'application/x-www-form-urlencoded': {
        schema: collector.convert(form, 'input'),
        ...(example === undefined ? {} : { example }),
      },
    },
  },
});

const requestBody = (operation: HttpOperation, collector: SchemaCollector): JsonObject => {
  if (operation.signedForm) return formBody(operation.signedForm, operation, collector);
  if (!operation.body) return {};
  const content = {
    schema: collector.convert(operation.body, 'input'),
    ...(operation.example === undefined ? {} : { example: operation.example }),
  };
  return {
    requestBody: {
      required: !operation.body.safeParse(undefined).success,
      content: { [jsonTypeOf(operation)]: content },
    },
  };
};

/** Example values of keys from requests of the same part of the API; the operation's own win. */
const hintsFor = (operation: HttpOperation): JsonObject => {
  const related = httpOperations.filter((it) => tagOf(it) === tagOf(operation));
  return Object.assign({}, ...[...related, operation].map(({ example }) => example));
};

const eventsOf = z.object({
  properties: z.object({
    events: z.object({ items: z.object({ properties: z.object({ data: z.looseObject({}) }) }) }),
  }),
});

/** Events with the schema of their data, for which OpenAPI 3.1 has no keyword of its own. */
const streamContent = (operation: HttpOperation, collector: SchemaCollector): JsonObject => {
  const reply = eventsOf.parse(collector.convert(operation.reply, 'output'));
  const item = reply.properties.events.items.properties.data;
  const source = { components: collector.components, hints: hintsFor(operation) };
  const data = exampleOf(item, source, { name: '', owner: tagOf(operation).replace(/s$/, ''), depth: 0 });
  return {
    'text/event-stream': {
      schema: { type: 'string' },
      'x-event-data-schema': item,
      example: `id: 1795219400000-${exampleId('id', 'message')}\ndata: ${JSON.stringify(data)}\n\n`,
    },
  };
};

const replyContent = (
  operation: HttpOperation,
  collector: SchemaCollector,
  shared: SharedComponents,
): { content: JsonObject; schemaName?: string | undefined } => {
  if (operation.answers === 'page') return { content: { 'text/html': { schema: { type: 'string' } } } };
  if (operation.answers === 'stream') return { content: streamContent(operation, collector) };
  const schema = replySchema(operation, collector);
  const source = { components: collector.components, hints: hintsFor(operation) };
  const owner = tagOf(operation).replace(/s$/, '');
  const value = exampleOf(schema, source, { name: '', owner, depth: 0 });
  const schemaName = typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined;
  const example =
    schemaName === undefined
      ? { example: value }
      : { examples: { success: shared.refer('examples', [schemaName, `${schemaName}2`], { value }) } };
  return { content: { [jsonTypeOf(operation)]: { schema, ...example } }, schemaName };
};

/** The name of a success among those that operations share: its schema, and the headers that come with it. */
const successName = (operation: HttpOperation, schemaName: string): string =>
  [
    `${schemaName}Success`,
    operation.entityTag ? 'Tagged' : '',
    operation.idempotent ? 'Keyed' : '',
    rateOf(operation) ? 'Rated' : '',
  ].join('');

const successResponse = (
  operation: HttpOperation,
  collector: SchemaCollector,
  shared: SharedComponents,
): JsonObject => {
  const head = { description: 'Success.', headers: responseHeaders(operation) };
  if (operation.status === 204) return head;
  const { content, schemaName } = replyContent(operation, collector, shared);
  const response = { ...head, content };
  if (schemaName === undefined) return response;
  const name = successName(operation, schemaName);
  return shared.refer('responses', [name, `${name}2`], response);
};

/** A bearer token's entry names the required scope: only here can programs read it. */
const securityOf = ({ access }: HttpOperation): JsonObject => {
  if (access === 'public' || access === 'signed') return { security: [] };
  return access === 'any_token' || access === 'session' ? {} : { security: [{ bearer: [access] }] };
};

const describeOperation = (
  operation: HttpOperation,
  collector: SchemaCollector,
  shared: SharedComponents,
): JsonObject => ({
  operationId: camelId(operation.id),
  tags: [tagOf(operation)],
  summary: operation.summary,
  description: describe(operation),
  ...securityOf(operation),
  parameters: [
    ...parametersOf(operation, 'path', collector, shared),
    ...parametersOf(operation, 'query', collector, shared),
    ...headerParameters(operation),
  ],
  ...requestBody(operation, collector),
  responses: {
    [String(operation.status)]: successResponse(operation, collector, shared),
    ...(takesIfNoneMatch(operation)
      ? {
          304: shared.refer('responses', ['NotModified'], {
            description: 'The answer is still the one with the tag that `If-None-Match` names.',
            headers: responseHeaders(operation),
          }),
        }
      : {}),
    ...errorResponses(operation, shared),
  },
});

const introduction = `Templates and data in, chat messages out. Every request carries \`Authorization: Bearer <API key or session token>\`.
Each path also exists without \`/v1\`, and keys may be written in camelCase, for older clients: both are deprecated, and
answers to them say so in the header \`Deprecation\` (RFC 9745): since when, as \`@\` and a Unix time. Errors carry a stable \`code\`: match on that. A rate is that of the whole
organization.`;

/**
 * The OpenAPI 3.1 document of every operation with a route, made from the registry.
 * @param replies `open` is for clients, since replies may gain keys; `closed` reveals undocumented keys
 * @param placement `in_place` is for programs of ours that read one operation at a time
 */
export const openApiDocument = (replies: Replies = 'open', placement: Placement = 'shared'): JsonObject => {
  const collector = new SchemaCollector(replies);
  const shared = new SharedComponents(fixedComponents.parameters, placement);
  const paths: Record<string, JsonObject> = {};
  for (const operation of httpOperations) {
    const path = `/v1${operation.path}`;
    paths[path] = {
      ...paths[path],
      [operation.method.toLowerCase()]: describeOperation(operation, collector, shared),
    };
  }
  const { content, components } = shared.settle({ paths, webhooks: webhooks(collector, shared) });
  return {
    openapi: '3.1.0',
    info: {
      title: 'Stanza',
      version: interfaceVersion,
      summary: 'Template messaging service',
      description: introduction,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'This gateway.' }],
    security: [{ bearer: [] }],
    tags: tagsOf(httpOperations),
    ...content,
    components: {
      ...fixedComponents,
      ...components,
      parameters: { ...fixedComponents.parameters, ...components.parameters },
      schemas: { ...errorSchemas, ...collector.components },
    },
  };
};
