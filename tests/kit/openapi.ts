import { type HttpOperation, openApiDocument } from '@stanza/contracts';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { z } from 'zod';

/** A JSON Schema of the document. */
export type JsonSchema = Record<string, unknown>;

const jsonSchema = z.record(z.string(), z.unknown());
const content = z.record(
  z.string(),
  z.object({ schema: jsonSchema, examples: z.record(z.string(), z.unknown()).optional() }),
);
const coded = z.object({ code: z.string() });
const described = z.looseObject({
  parameters: z.array(
    z.looseObject({
      name: z.string().optional(),
      in: z.string().optional(),
      required: z.boolean().optional(),
      schema: jsonSchema.optional(),
    }),
  ),
  requestBody: z.object({ content }).optional(),
  responses: z.record(z.string(), z.looseObject({ content: content.optional() })),
});
const document = z
  .looseObject({
    paths: z.record(z.string(), z.record(z.string(), described)),
    components: z.looseObject({ schemas: z.record(z.string(), jsonSchema) }),
  })
  .parse(openApiDocument('closed', 'in_place'));

const ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } });
addFormats.default(ajv);
ajv.addSchema(document, 'stanza');

const pointerPart = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1');

const pathFor = (method: string, path: string): string | undefined => {
  const given = (path.startsWith('/v1/') ? path : `/v1${path}`).split('?')[0]?.split('/') ?? [];
  const fits = (candidate: string): boolean => {
    const parts = candidate.split('/');
    return (
      parts.length === given.length &&
      parts.every((part, at) => (part.startsWith('{') ? given[at] !== '' : part === given[at]))
    );
  };
  const candidates = Object.keys(document.paths).filter((it) => document.paths[it]?.[method] && fits(it));
  return candidates.sort((one, other) => one.split('{').length - other.split('{').length)[0];
};

/** What an answer has that the OpenAPI document does not allow; undefined when it is as documented. */
export const undocumented = (
  method: string,
  path: string,
  status: number,
  body: unknown,
): string | undefined => {
  const verb = method.toLowerCase();
  const route = pathFor(verb, path);
  // A method that a path lacks is documented by its absence.
  if (status === 405) return undefined;
  if (route === undefined) return status === 404 ? undefined : `${method} ${path} is not documented`;
  const described = document.paths[route]?.[verb]?.responses[String(status)];
  if (!described) return `${method} ${route} does not document status ${status}`;
  const [type = 'application/json'] = Object.keys(described.content ?? {});
  if (described.content === undefined)
    return body === undefined ? undefined : `${method} ${route} has a body`;
  const codes = status < 400 ? undefined : described.content[type]?.examples;
  const { data } = coded.safeParse(body);
  if (codes && !Object.hasOwn(codes, data?.code ?? '')) {
    return `${method} ${route} does not document ${status} with the code ${data?.code}`;
  }
  const reference = `stanza#/paths/${pointerPart(route)}/${verb}/responses/${status}/content/${pointerPart(type)}/schema`;
  const check = ajv.getSchema(reference);
  if (!check) return `no schema at ${reference}`;
  return check(body) ? undefined : `${method} ${route} ${status}: ${ajv.errorsText(check.errors)}`;
};

/** A parameter of an operation as the document describes it. */
export interface DescribedParameter {
  name: string;
  place: 'path' | 'query';
  required: boolean;
  schema: JsonSchema;
}

const operationOf = ({ method, path }: HttpOperation) => {
  const found = document.paths[`/v1${path}`]?.[method.toLowerCase()];
  if (!found) throw new Error(`${method} ${path} is not documented`);
  return found;
};

/** The path and query parameters of an operation. */
export const parametersOf = (operation: HttpOperation): DescribedParameter[] =>
  operationOf(operation).parameters.flatMap(({ name, in: place, required = false, schema }) =>
    name !== undefined && schema !== undefined && (place === 'path' || place === 'query')
      ? [{ name, place, required, schema }]
      : [],
  );

/** The schema of an operation's body; undefined where it takes none. */
export const bodySchemaOf = (operation: HttpOperation): JsonSchema | undefined =>
  Object.entries(operationOf(operation).requestBody?.content ?? {}).find(([type]) =>
    type.endsWith('json'),
  )?.[1].schema;

/** What a reference to a schema of the document stands for; any other schema as it is. */
export const resolved = (schema: JsonSchema): JsonSchema => {
  const name = /^#\/components\/schemas\/(\w+)$/.exec(String(schema.$ref))?.[1];
  const found = name === undefined ? undefined : document.components.schemas[name];
  return found ? resolved(found) : schema;
};

const checks = new WeakMap<JsonSchema, (value: unknown) => boolean>();

/** Whether a value is what a schema of the document describes. */
export const accepts = (schema: JsonSchema, value: unknown): boolean => {
  const relative: JsonSchema = { allOf: [schema], components: document.components };
  const check = checks.get(schema) ?? ajv.compile(relative);
  checks.set(schema, check);
  return check(value) === true;
};
