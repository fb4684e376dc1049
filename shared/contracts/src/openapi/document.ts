import { z } from 'zod';
import { idempotencyKeyHeader } from '../idempotency.ts';
import { limits } from '../limits.ts';
import { logPlacePattern } from '../log-place.ts';
import { type HttpOperation, lastEventIdHeader, takesIfMatch, takesIfNoneMatch } from '../operation.ts';
import { rateOf, rates } from '../rates.ts';
import { httpOperations } from '../registry.ts';
import { sourceAuthorizationHeader } from '../source-authorization.ts';
import { errorResponses, errorSchemas, jsonTypeOf, responseHeaders } from './errors.ts';
import { exampleId, exampleOf } from './examples.ts';
import { type JsonObject, type Replies, SchemaCollector } from './schemas.ts';
import { tagOf, tagsOf } from './tags.ts';
import { webhooks } from './webhooks.ts';

/** The version of the interface, which differs from that of the product: releases that change no operation keep it. */
const interfaceVersion = '0.0.1';

const camelId = (id: string): string => id.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The singular of the path segment before a parameter: the owner of the id. */
const ownerIn = (path: string, name: string): string =>
  (path.split(`/{${name}}`)[0]?.split('/').at(-1) ?? '').replace(/ies$/, 'y').replace(/s$/, '');

const parametersOf = (
  { path, params, query }: HttpOperation,
  place: 'path' | 'query',
  collector: SchemaCollector,
): JsonObject[] =>
  Object.entries((place === 'path' ? params : query)?.shape ?? {}).map(([name, field]) => {
    const { description, ...json } = collector.convert(field, 'input');
    const isDemanded = z.globalRegistry.get(field)?.isDemanded === true;
    const optional = !isDemanded && field.safeParse(undefined).success;
    return {
      name,
      in: place,
      required: place === 'path' || !optional,
      ...(description === undefined ? {} : { description }),
      schema: json,
      ...(json.format === 'uuid' ? { example: exampleId(name, ownerIn(path, name)) } : {}),
    };
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
  const wide = operation.organizationWide ? ' A session, or a key of the production environment.' : '';
  return `${tokenText(operation)}${wide}`;
};

const rateText = (operation: HttpOperation): string | undefined => {
  const name = rateOf(operation);
  if (name === undefined) return undefined;
  const { requests, seconds } = rates[name];
  return `Counts against the ${name} rate: ${requests} requests in ${seconds} seconds for the whole organization.`;
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

const replyContent = (operation: HttpOperation, collector: SchemaCollector): JsonObject => {
  if (operation.answers === 'page') return { 'text/html': { schema: { type: 'string' } } };
  if (operation.answers === 'stream') return streamContent(operation, collector);
  const schema = replySchema(operation, collector);
  const source = { components: collector.components, hints: hintsFor(operation) };
  const owner = tagOf(operation).replace(/s$/, '');
  return {
    [jsonTypeOf(operation)]: { schema, example: exampleOf(schema, source, { name: '', owner, depth: 0 }) },
  };
};

/** A bearer token's entry names the required scope: only here can programs read it. */
const securityOf = ({ access }: HttpOperation): JsonObject => {
  if (access === 'public' || access === 'signed') return { security: [] };
  return access === 'any_token' || access === 'session' ? {} : { security: [{ bearer: [access] }] };
};

const describeOperation = (operation: HttpOperation, collector: SchemaCollector): JsonObject => ({
  operationId: camelId(operation.id),
  tags: [tagOf(operation)],
  summary: operation.summary,
  description: describe(operation),
  ...securityOf(operation),
  parameters: [
    ...parametersOf(operation, 'path', collector),
    ...parametersOf(operation, 'query', collector),
    ...headerParameters(operation),
  ],
  ...requestBody(operation, collector),
  responses: {
    [String(operation.status)]: {
      description: 'Success.',
      headers: responseHeaders(operation),
      ...(operation.status === 204 ? {} : { content: replyContent(operation, collector) }),
    },
    ...(takesIfNoneMatch(operation)
      ? {
          304: {
            description: 'The answer is still the one with the tag that `If-None-Match` names.',
            headers: responseHeaders(operation),
          },
        }
      : {}),
    ...errorResponses(operation),
  },
});

const idempotencyText = `Makes the request happen once: asked again with the same key and the same content, it is answered as the
first time, with \`Idempotency-Replayed: true\`, at no cost; for 24 hours, failures of status 500 and above longer.
**A 4xx under a key is an answer like any other: 400, 402, 404 and 409 are replayed too. Mend the cause and ask with a new
key.** Other content: 409 \`idempotency_conflict\`. No answer yet: 409 \`idempotency_in_progress\`. Keys belong to the organization,
the environment and the operation. A request that was refused before it ran (401, 403, 422, 429, 503 where nothing was
done) leaves its key free.`;

const bearerText = `An API key, \`stz_live_…\` or \`stz_test_…\`, or a session token: a JWT of the identity provider that the
service is configured with. A session acts as its user, with the scopes of the user's role, in the organization and
environment that the token names.`;

const sharedParts = {
  securitySchemes: {
    bearer: { type: 'http', scheme: 'bearer', description: bearerText },
  },
  headers: {
    RequestId: { description: 'Echo of the request header, or generated.', schema: { type: 'string' } },
    Deprecation: {
      description:
        'RFC 9745, on answers to camelCase keys and to paths without `/v1`: since when they are deprecated, as `@` and a Unix time.',
      schema: { type: 'string', pattern: '^@\\d+$' },
    },
    EntityTag: {
      description:
        'Names what was answered: the same resource has the same tag until it changes. For `If-None-Match` and `If-Match`.',
      schema: { type: 'string', pattern: '^"[\\w-]+"$' },
    },
    Authenticate: {
      description: 'The accepted authentication scheme.',
      schema: { type: 'string', const: 'Bearer realm="stanza"' },
    },
    RetryAfter: { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 0 } },
    RateLimitPolicy: {
      description:
        'The rate that the request counts against: its name, `q` requests in any `w` seconds. Omitted when the request could not be counted.',
      schema: { type: 'string' },
      example: '"authoring";q=120;w=60',
    },
    RateLimit: {
      description: 'The rest of that rate: `r` requests now, and more in `t` seconds.',
      schema: { type: 'string' },
      example: '"authoring";r=119;t=60',
    },
    IdempotencyReplayed: {
      description: 'The answer is a replay of the first request with this key; nothing ran again.',
      schema: { type: 'string', const: 'true' },
    },
    IdempotencyOriginal: {
      description: 'On a replay: the request id of the first request with this key.',
      schema: { type: 'string' },
    },
  },
  parameters: {
    RequestId: {
      name: 'X-Request-Id',
      in: 'header',
      description: 'Your own id of the request; an invalid one is replaced.',
      schema: { type: 'string', maxLength: limits.requestId, pattern: '^[A-Za-z0-9._-]+$' },
    },
    SourceAuthorization: {
      name: sourceAuthorizationHeader,
      in: 'header',
      description:
        'The API key of the environment to copy from, as `Bearer <API key>`: of the same organization, with the scopes to read. A session needs none.',
      schema: { type: 'string' },
    },
    IfNoneMatch: {
      name: 'If-None-Match',
      in: 'header',
      description:
        'Tags of answers that you have: where one is still right, the answer is 304 without a body.',
      schema: { type: 'string' },
    },
    IfMatch: {
      name: 'If-Match',
      in: 'header',
      description:
        'The `ETag` of what you have read: the change is refused with 409 `changed_meanwhile` where the resource is another by now.',
      schema: { type: 'string' },
    },
    LastEventId: {
      name: lastEventIdHeader,
      in: 'header',
      description: 'The id of the last event that you have: the stream continues after it.',
      schema: { type: 'string', pattern: logPlacePattern },
    },
    IdempotencyKey: {
      name: idempotencyKeyHeader,
      in: 'header',
      description: idempotencyText,
      schema: { type: 'string', minLength: 1, maxLength: limits.idempotencyKey },
    },
  },
};

const introduction = `Templates and data in, chat messages out. Every request carries \`Authorization: Bearer <API key or session token>\`.
Each path also exists without \`/v1\`, and keys may be written in camelCase, for older clients: both are deprecated, and
answers to them say so in the header \`Deprecation\`. Errors carry a stable \`code\`: match on that.`;

/**
 * The OpenAPI 3.1 document of every operation with a route, made from the registry.
 * @param replies `open` is for clients, since replies may gain keys; `closed` reveals undocumented keys
 */
export const openApiDocument = (replies: Replies = 'open'): JsonObject => {
  const collector = new SchemaCollector(replies);
  const paths: Record<string, JsonObject> = {};
  for (const operation of httpOperations) {
    const path = `/v1${operation.path}`;
    paths[path] = {
      ...paths[path],
      [operation.method.toLowerCase()]: describeOperation(operation, collector),
    };
  }
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
    paths,
    webhooks: webhooks(collector),
    components: { ...sharedParts, schemas: { ...errorSchemas, ...collector.components } },
  };
};
