import { errorCodesOf, type HttpOperation, httpOperations, openApiDocument } from '@stanza/contracts';
import { z } from 'zod';
import { methodOf } from './method-name.ts';

const json = z.object({
  schema: z.unknown(),
  'x-event-data-schema': z.unknown().optional(),
});
const contents = z.record(z.string(), json);
const parameter = z.object({
  name: z.string(),
  in: z.enum(['path', 'query']),
  required: z.boolean(),
  description: z.string().optional(),
  schema: z.unknown(),
  example: z.unknown().optional(),
});

const described = z.object({
  operationId: z.string(),
  summary: z.string(),
  description: z.string(),
  parameters: z.array(z.union([parameter, z.object({ $ref: z.string() })])),
  requestBody: z
    .object({ required: z.boolean(), content: z.record(z.string(), z.object({ schema: z.unknown() })) })
    .optional(),
  responses: z.record(z.string(), z.object({ content: contents.optional() })),
});

const document = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
});

const named = document.parse(JSON.parse(JSON.stringify(openApiDocument('open', 'in_place'))));

const reference = z.looseObject({ $ref: z.string() });
const text = z.looseObject({ type: z.literal('string'), enum: z.undefined().optional() });

/** The schema that a reference names; another value as it is. */
const meantBy = (value: unknown): unknown => {
  const [, name] = /^#\/components\/schemas\/(\w+)$/.exec(reference.safeParse(value).data?.$ref ?? '') ?? [];
  return name === undefined ? value : named.components.schemas[name];
};

/** What a schema with a name says of itself. */
const withDescription = z.looseObject({ description: z.string() });

/**
 * Texts with a name stand in the types as the texts that they are: an alias would say no more. Another reference says
 * what its schema says, so that a program's author reads it at the field.
 */
const withTexts = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withTexts);
  if (typeof value !== 'object' || value === null) return value;
  const { data } = reference.safeParse(value);
  const component = text.safeParse(meantBy(value));
  if (component.success) return { ...component.data, ...data, $ref: undefined };
  const said = data && withDescription.safeParse(meantBy(value)).data;
  if (said) return { description: said.description, ...data };
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withTexts(inner)]));
};

const parsed = document.parse(withTexts(named));

/** A parameter of a path or a query. */
export type Parameter = z.output<typeof parameter>;

/** How often a request may be made: reads as often as one likes, keyed ones with their key, changes once. */
export type Kind = 'read' | 'keyed' | 'change';

/** An operation as the SDK has it. */
export interface SdkOperation {
  readonly source: HttpOperation;
  /** Where it is found: `['templates', 'versions', 'activate']`. */
  readonly method: readonly string[];
  /** Its name with a capital, of which those of its types are made. */
  readonly typeName: string;
  readonly kind: Kind;
  readonly description: string;
  readonly path: readonly Parameter[];
  readonly query: readonly Parameter[];
  /** JSON Schema of the body. */
  readonly body: unknown;
  readonly isBodyRequired: boolean;
  /** JSON Schema of the answer; undefined where there is none. */
  readonly reply: unknown;
  /** The schema of one item, where the answer is a page of a list. */
  readonly item: unknown;
  /** The schema of the data of one event, where the answer is a stream of them. */
  readonly event: unknown;
  /** Every code that it can answer. */
  readonly codes: readonly string[];
}

/** Operations that programs call with a key. The others are for browsers, and for the chat platform's signed forms. */
const isForPrograms = ({ access, answers }: HttpOperation): boolean =>
  answers !== 'page' && access !== 'signed';

const kindOf = ({ method, readOnly, idempotent }: HttpOperation): Kind => {
  if (method === 'GET' || readOnly) return 'read';
  return idempotent ? 'keyed' : 'change';
};

const object = z.looseObject({ properties: z.record(z.string(), z.unknown()) });

/** The answer without the keys that repeat others for older clients. */
const replyOf = ({ legacyListKey }: HttpOperation, schema: unknown): unknown => {
  if (legacyListKey === undefined) return schema;
  const { properties, ...rest } = object.parse(schema);
  const { [legacyListKey]: _list, total: _total, limit: _limit, offset: _offset, ...kept } = properties;
  return { ...rest, properties: kept };
};

const items = { data: z.object({ items: z.unknown() }) };
const page = z.object({
  properties: z.union([
    z.object({ ...items, pagination: z.unknown() }),
    z.object({ ...items, next_cursor: z.unknown() }),
  ]),
});

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const isParameter = (given: Parameter | { $ref: string }): given is Parameter => 'name' in given;

const readOperation = (source: HttpOperation, found: unknown): SdkOperation => {
  const it = described.parse(found);
  const parameters = it.parameters.filter(isParameter);
  const success = it.responses[String(source.status)]?.content;
  const [content] = Object.values(success ?? {});
  const event = content?.['x-event-data-schema'];
  const reply = event === undefined ? content && replyOf(source, content.schema) : undefined;
  const list = page.safeParse(meantBy(reply));
  return {
    source,
    method: methodOf(source),
    typeName: capital(it.operationId),
    kind: kindOf(source),
    description: it.description,
    path: parameters.filter((one) => one.in === 'path'),
    query: parameters.filter((one) => one.in === 'query'),
    body: Object.values(it.requestBody?.content ?? {})[0]?.schema,
    isBodyRequired: it.requestBody?.required ?? false,
    reply,
    event,
    item: list.success ? list.data.properties.data.items : undefined,
    codes: errorCodesOf(source).sort(),
  };
};

/** Every operation that programs call, in the order of the documentation. */
export const sdkOperations: readonly SdkOperation[] = httpOperations
  .filter(isForPrograms)
  .map((source) => readOperation(source, parsed.paths[`/v1${source.path}`]?.[source.method.toLowerCase()]));

/** The named schemas of the interface. */
export const components: Readonly<Record<string, unknown>> = Object.fromEntries(
  Object.entries(parsed.components.schemas).filter(([, schema]) => !text.safeParse(schema).success),
);
