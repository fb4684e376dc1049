import { z } from 'zod';
import { idempotencyKeyHeader } from '../idempotency.ts';
import { limits } from '../limits.ts';
import type { HttpOperation } from '../operation.ts';
import { rateOf, rates } from '../rates.ts';
import { httpOperations } from '../registry.ts';
import { errorResponses, errorSchemas, jsonTypeOf, responseHeaders } from './errors.ts';
import { exampleId, exampleOf } from './examples.ts';
import { type JsonObject, type Replies, SchemaCollector } from './schemas.ts';
import { tagOf, tagsOf } from './tags.ts';

/** The version of the interface, which is not that of the product: releases that change no operation leave it. */
const interfaceVersion = '0.0.1';

const camelId = (id: string): string => id.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** What stands in a path before a parameter, in the singular: whose id it is. */
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

const headerParameters = ({ idempotent }: HttpOperation): JsonObject[] => [
  { $ref: '#/components/parameters/RequestId' },
  ...(idempotent ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
];

const tokenText = (operation: HttpOperation): string => {
  const role = operation.role ? ` The role must be ${operation.role} or wider.` : '';
  if (operation.access === 'any_token') return `Any valid token.${role}`;
  if (operation.access === 'session') return `A session token, not an API key.${role}`;
  return `Scope \`${operation.access}\`.${role}`;
};

const accessText = (operation: HttpOperation): string => {
  if (operation.access === 'public') return 'Open to everybody.';
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

/** A list's reply as it leaves the gateway: with its older collection key where it has one. */
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

/** Values of keys that requests of the same part of the API have in their examples; the operation's own go first. */
const hintsFor = (operation: HttpOperation): JsonObject => {
  const related = httpOperations.filter((it) => tagOf(it) === tagOf(operation));
  return Object.assign({}, ...[...related, operation].map(({ example }) => example));
};

const replyContent = (operation: HttpOperation, collector: SchemaCollector): JsonObject => {
  if (operation.answers === 'page') return { 'text/html': { schema: { type: 'string' } } };
  const schema = replySchema(operation, collector);
  const source = { components: collector.components, hints: hintsFor(operation) };
  const owner = tagOf(operation).replace(/s$/, '');
  return {
    [jsonTypeOf(operation)]: { schema, example: exampleOf(schema, source, { name: '', owner, depth: 0 }) },
  };
};

/** A bearer token's entry names the scope that it must have: here alone the document can be read by programs. */
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
    Authenticate: {
      description: 'The scheme that is taken.',
      schema: { type: 'string', const: 'Bearer realm="stanza"' },
    },
    RetryAfter: { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 0 } },
    RateLimitPolicy: {
      description:
        'The rate that the request counts against: its name, `q` requests in any `w` seconds. Left out when it could not be counted.',
      schema: { type: 'string' },
      example: '"authoring";q=120;w=60',
    },
    RateLimit: {
      description: 'What is left of that rate: `r` requests now, and more in `t` seconds.',
      schema: { type: 'string' },
      example: '"authoring";r=119;t=60',
    },
    IdempotencyReplayed: {
      description: 'The answer was given before, to the first request with this key; nothing ran again.',
      schema: { type: 'string', const: 'true' },
    },
    IdempotencyOriginal: {
      description: 'Of an answer that was given before: the request id of the first request with this key.',
      schema: { type: 'string' },
    },
  },
  parameters: {
    RequestId: {
      name: 'X-Request-Id',
      in: 'header',
      description: 'Your own id of the request; one of another form is replaced.',
      schema: { type: 'string', maxLength: limits.requestId, pattern: '^[A-Za-z0-9._-]+$' },
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
 * @param replies `open` is what clients are given, since replies may gain keys; `closed` finds what is undocumented
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
    components: { ...sharedParts, schemas: { ...errorSchemas, ...collector.components } },
  };
};
