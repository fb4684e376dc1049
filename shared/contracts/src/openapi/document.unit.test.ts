import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { errorCodes } from '../error-codes.ts';
import { publicEvents, publicEventTypes } from '../public-events/catalogue.ts';
import { deliveredPayloads } from '../public-events/payloads.ts';
import { rateOf, rates } from '../rates.ts';
import { httpOperations, internalOperations } from '../registry.ts';
import { openApiDocument } from './document.ts';
import { portablePattern } from './schemas.ts';

const object = z.looseObject({ properties: z.record(z.string(), z.unknown()).optional() });
const json = z.object({
  schema: object,
  example: z.unknown().optional(),
  examples: z.record(z.string(), z.object({ value: z.looseObject({}) })).optional(),
});
const content = z.object({ 'application/json': json });
const answered = z.union([
  content,
  // A page for people in a browser, of which there is nothing to describe.
  z
    .strictObject({ 'text/html': z.strictObject({ schema: z.strictObject({ type: z.literal('string') }) }) })
    .transform((): { 'application/json': z.output<typeof json> } => ({ 'application/json': { schema: {} } })),
  // A stream, whose events have a schema of their own.
  z
    .strictObject({
      'text/event-stream': z.strictObject({
        schema: z.strictObject({ type: z.literal('string') }),
        'x-event-data-schema': object,
        example: z.string(),
      }),
    })
    .transform((stream): { 'application/json': z.output<typeof json> } => ({
      'application/json': { schema: stream['text/event-stream']['x-event-data-schema'] },
    })),
  // SCIM names its own type.
  z
    .strictObject({ 'application/scim+json': json })
    .transform((scim) => ({ 'application/json': scim['application/scim+json'] })),
]);
const described = z.object({
  description: z.string(),
  security: z.array(z.record(z.string(), z.array(z.string()))).optional(),
  parameters: z.array(z.unknown()),
  requestBody: z.object({ content: content.partial().catchall(object) }).optional(),
  responses: z.record(
    z.string(),
    z.object({
      description: z.string(),
      headers: z.record(z.string(), z.unknown()),
      content: answered.default({ 'application/json': { schema: {} } }),
    }),
  ),
});
const shape = z.object({
  paths: z.record(z.string(), z.record(z.string(), described)),
  components: z.object({ schemas: z.record(z.string(), object) }),
});

const served = JSON.stringify(openApiDocument());

const read = (replies?: 'open' | 'closed') => {
  const text = JSON.stringify(openApiDocument(replies, 'in_place'));
  const { paths, components } = shape.parse(JSON.parse(text));
  const operation = (method: string, path: string) => described.parse(paths[path]?.[method]);
  const replyOf = (method: string, path: string) =>
    operation(method, path).responses['200']?.content['application/json'].schema;
  return { text, paths, components, operation, replyOf };
};

/** The example of a success: that of its schema, where several answers have the same. */
const exampleOf = (response: z.output<typeof described>['responses'][string] | undefined): unknown => {
  const { example, examples } = response?.content['application/json'] ?? {};
  return example ?? examples?.success?.value;
};

describe('the OpenAPI document', () => {
  const document = read();

  it('describes a body that somebody else signs as the form that it is', () => {
    const { requestBody, security } = document.operation('post', '/v1/chat/interactions');
    expect(Object.keys(requestBody?.content ?? {})).toEqual(['application/x-www-form-urlencoded']);
    expect(security).toEqual([]);
  });

  it('describes every operation with a route, and no internal one', () => {
    for (const it of httpOperations) expect(document.text).toContain(JSON.stringify(it.summary));
    for (const it of internalOperations) expect(document.text).not.toContain(JSON.stringify(it.summary));
  });

  it('refers only to what it holds, once for all operations', () => {
    const { components } = z
      .object({ components: z.record(z.string(), z.record(z.string(), z.unknown())) })
      .parse(JSON.parse(served));
    const references = [...served.matchAll(/"#\/components\/(\w+)\/(\w+)"/g)];
    for (const [, kind, name] of references) expect(components[kind ?? '']).toHaveProperty(String(name));
    expect(new Set(references.map(([, kind]) => kind))).toEqual(
      new Set(['schemas', 'parameters', 'responses', 'examples', 'headers']),
    );
  });

  it('stays small', () => {
    const over = served.length - 600 * 1024;
    const advice =
      'shorten descriptions, or name a schema that several operations have, by `.meta({ id })`, so that it is written once';
    expect(over > 0 ? `${over} characters too long: ${advice}` : 'small').toBe('small');
  });

  it('gives a name to what two places have, and to nothing that one place has', () => {
    const { components } = z
      .object({ components: z.record(z.string(), z.record(z.string(), z.unknown())) })
      .parse(JSON.parse(served));
    const references = [...served.matchAll(/"#\/components\/(responses|examples)\/(\w+)"/g)];
    const names = Object.keys({ ...components.responses, ...components.examples });
    const lone = names.filter((name) => references.filter(([, , it]) => it === name).length < 2);
    expect(lone).toEqual([]);
    const successes = references.filter(([, , name]) => name === 'DeletedSuccessRated');
    expect(successes.length).toBeGreaterThan(10);
  });

  it('says the same where what operations share stands in each of them', () => {
    const parts = z
      .object({ components: z.record(z.string(), z.record(z.string(), z.unknown())) })
      .parse(JSON.parse(served)).components;
    const fixed = new Set([
      'RequestId',
      'IdempotencyKey',
      'SourceAuthorization',
      'IfNoneMatch',
      'IfMatch',
      'LastEventId',
    ]);
    const inPlace = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(inPlace);
      if (typeof value !== 'object' || value === null) return value;
      const [, kind = '', name = ''] =
        '$ref' in value
          ? (/^#\/components\/(parameters|responses|examples)\/(\w+)$/.exec(String(value.$ref)) ?? [])
          : [];
      if (kind !== '' && !fixed.has(name)) return inPlace(parts[kind]?.[name]);
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, inPlace(inner)]));
    };
    const { paths, webhooks } = z
      .object({ paths: z.unknown(), webhooks: z.unknown() })
      .parse(JSON.parse(served));
    const whole = JSON.parse(document.text);
    expect(inPlace(paths)).toEqual(whole.paths);
    expect(inPlace(webhooks)).toEqual(whole.webhooks);
  });

  it('names the rate of exactly the operations that have one, and what over it is answered', () => {
    for (const it of httpOperations) {
      const { description, responses } = document.operation(it.method.toLowerCase(), `/v1${it.path}`);
      const name = rateOf(it);
      expect(/requests in \d+ seconds/.test(description)).toBe(name !== undefined);
      if (name === undefined) continue;
      expect(description).toContain(`the ${name} rate: ${rates[name].requests} requests`);
      expect(responses['429']?.description).toContain('`rate_limited`');
      expect(Object.keys(responses[String(it.status)]?.headers ?? {})).toEqual(
        expect.arrayContaining(['RateLimit', 'RateLimit-Policy']),
      );
    }
  });

  it('takes idempotency keys exactly where the registry says so, and names what they may be refused with', () => {
    for (const it of httpOperations) {
      const { parameters, responses } = document.operation(it.method.toLowerCase(), `/v1${it.path}`);
      const parameter = { $ref: '#/components/parameters/IdempotencyKey' };
      expect(parameters.some((one) => JSON.stringify(one) === JSON.stringify(parameter))).toBe(it.idempotent);
      const conflict = responses['409']?.description ?? '';
      expect(conflict.includes('`idempotency_conflict`')).toBe(it.idempotent);
      expect(conflict.includes('`idempotency_in_progress`')).toBe(it.idempotent);
    }
  });

  it('lets clients expect new error codes', () => {
    const { code } = document.components.schemas.Error?.properties ?? {};
    expect(code).toMatchObject({ anyOf: [{ $ref: '#/components/schemas/ErrorCode' }, { type: 'string' }] });
    expect(document.components.schemas.ErrorCode).toHaveProperty('enum', errorCodes);
  });

  it('lets replies gain keys, and requests not', () => {
    const compiled = document.replyOf('post', '/v1/templates/compile');
    expect(compiled?.properties).toHaveProperty('blocks');
    expect(compiled).not.toHaveProperty('additionalProperties');
    expect(document.components.schemas.Template).not.toHaveProperty('additionalProperties');
    const { requestBody } = document.operation('post', '/v1/templates/compile');
    expect(requestBody?.content['application/json']?.schema.additionalProperties).toBe(false);
  });

  it('closed, holds replies to what is described', () => {
    const closed = read('closed');
    expect(closed.replyOf('post', '/v1/templates/compile')?.additionalProperties).toBe(false);
    expect(closed.components.schemas.Template?.additionalProperties).toBe(false);
  });

  it('describes the items of a list under its older key as those of `data`', () => {
    const { data, templates } = document.replyOf('get', '/v1/templates')?.properties ?? {};
    expect(data).toEqual({ type: 'array', items: { $ref: '#/components/schemas/ListedTemplate' } });
    expect(templates).toEqual({ ...Object(data), description: expect.any(String) });
  });

  it('asks for exactly one destination of a send, and names the errors of its credits', () => {
    const send = document.operation('post', '/v1/templates/send');
    expect(send.requestBody?.content['application/json']?.schema.oneOf).toEqual([
      { required: ['channel_id'], properties: { channel_id: { type: 'string' } } },
      { required: ['recipient_email'], properties: { recipient_email: { type: 'string' } } },
      { required: ['recipient_chat_id'], properties: { recipient_chat_id: { type: 'string' } } },
    ]);
    expect(send.responses['404']?.description).toContain('`credits_not_found`');
  });

  it('says of integers and times no more than their type and format do', () => {
    expect(document.text).not.toContain('9007199254740991');
    const { created_at } = document.components.schemas.Template?.properties ?? {};
    expect(created_at).toMatchObject({ type: 'string', format: 'date-time' });
    expect(created_at).not.toHaveProperty('pattern');
  });

  it('shows a reply of every operation, and every error that it names', () => {
    for (const it of httpOperations) {
      const { responses } = document.operation(it.method.toLowerCase(), `/v1${it.path}`);
      const { [String(it.status)]: success, ...errors } = responses;
      if (it.answers === undefined) expect([it.id, exampleOf(success)]).toEqual([it.id, expect.anything()]);
      for (const { description, content } of Object.values(errors)) {
        const named = [...description.matchAll(/^`(\w+)`/gm)].map((match) => match[1]);
        const shown = Object.entries(content['application/json'].examples ?? {});
        expect([it.id, shown.map(([code]) => code)]).toEqual([it.id, named]);
        expect(shown.map(([, { value }]) => value.code)).toEqual(named);
      }
    }
  });

  it('takes the values of a reply from the request, and what may be null is null otherwise', () => {
    const created = document.operation('post', '/v1/templates').responses['201'];
    expect(exampleOf(created)).toMatchObject({
      name: 'Deploy alert',
      archived_at: null,
      version: { version_number: 1, sample_data: { service: 'api', version: '1.4.2' } },
    });
  });

  it('asks for the scope of an operation in a form that programs read', () => {
    expect(document.operation('post', '/v1/templates').security).toEqual([{ bearer: ['templates:create'] }]);
    expect(document.operation('get', '/v1/auth/validate').security).toBeUndefined();
  });

  it('has patterns that other languages read, and that take the same names', () => {
    const patterns = [...document.text.matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(([, text]) =>
      String(JSON.parse(text ?? '""')),
    );
    expect(patterns.length).toBeGreaterThan(20);
    expect(patterns.filter((pattern) => /\\[pP]\{/.test(pattern))).toEqual([]);
    for (const pattern of patterns) expect(() => new RegExp(pattern)).not.toThrow();
    const names = new RegExp(portablePattern(String.raw`^[\p{L}\p{N}_$][\p{L}\p{N}_$-]*$`), 'u');
    for (const name of ['customer', 'größe', '顧客', 'a-b', '$1', '_', '𝒳']) expect(name).toMatch(names);
    for (const name of ['', 'a b', '-a', 'a.b', 'a[b', 'a"', 'a`', '{a', '\u00a0a'])
      expect(name).not.toMatch(names);
    const line = new RegExp(portablePattern(String.raw`^[^\p{Cc}\u2028]*$`));
    expect(['a b', 'a\tb', 'a\u009fb'].map((text) => line.test(text))).toEqual([true, false, false]);
  });

  it('has a webhook for each payload that leaves, with its schema', () => {
    const { webhooks, components } = z
      .object({
        webhooks: z.record(
          z.string(),
          z.object({
            post: z.object({
              requestBody: z.object({ content: z.record(z.string(), z.object({ schema: z.unknown() })) }),
            }),
          }),
        ),
        components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
      })
      .parse(JSON.parse(served));
    const delivered = deliveredPayloads.map(({ name, schemaName }) => [name, schemaName]);
    const told = publicEvents.map(({ type, schemaName }) => [type, schemaName]);
    expect(Object.keys(webhooks)).toEqual([...publicEventTypes, 'digest', 'interaction']);
    for (const [name = '', schemaName] of [...told, ...delivered]) {
      const { schema } = webhooks[name]?.post.requestBody.content['application/json'] ?? {};
      expect(schema).toEqual({ $ref: `#/components/schemas/${schemaName}` });
      expect(components.schemas).toHaveProperty(String(schemaName));
    }
  });

  it('shows payloads that their schemas take', () => {
    for (const { schema } of deliveredPayloads) {
      const examples = z.array(z.unknown()).nonempty().parse(z.globalRegistry.get(schema)?.examples);
      for (const example of examples) expect(schema.parse(example)).toEqual(example);
    }
  });
});
