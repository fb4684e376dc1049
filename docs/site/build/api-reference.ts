import { openApiDocument } from '@stanza/contracts';
import { z } from 'zod';
import { asCell, asProse, schema, tableOf, typeOf } from './api-schema.ts';

const content = z.record(z.string(), z.object({ schema: schema.optional() })).default({});

const operation = z.object({
  operationId: z.string(),
  tags: z.array(z.string()),
  summary: z.string(),
  description: z.string().default(''),
  parameters: z
    .array(
      z.object({
        name: z.string(),
        in: z.string(),
        required: z.boolean().default(false),
        description: z.string().default(''),
        schema: schema.optional(),
      }),
    )
    .default([]),
  requestBody: z.object({ content }).optional(),
  responses: z.record(z.string(), z.object({ description: z.string(), content })),
});

const document = z.object({
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.object({ schemas: z.record(z.string(), schema) }),
});

const shared = z.object({ components: z.record(z.string(), z.record(z.string(), z.unknown())) });

interface Operation extends z.infer<typeof operation> {
  readonly method: string;
  readonly path: string;
}

const described = z.object({ description: z.string() });

/**
 * The document with what it shares in its places; the schemas that have a name stay references, with what they say of
 * themselves.
 */
const inPlace = (value: unknown, from: Record<string, Record<string, unknown>>): unknown => {
  if (Array.isArray(value)) return value.map((inner) => inPlace(inner, from));
  if (typeof value !== 'object' || value === null) return value;
  const named =
    '$ref' in value ? /^#\/components\/(parameters|responses)\/(.+)$/.exec(String(value.$ref)) : null;
  if (named) return inPlace(from[named[1] ?? '']?.[named[2] ?? ''], from);
  const ref = '$ref' in value ? String(value.$ref).split('#/components/schemas/')[1] : undefined;
  const said = described.safeParse(from.schemas?.[ref ?? '']).data;
  if (said) return { description: said.description, ...value };
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, inPlace(inner, from)]));
};

const readDocument = () => {
  const whole = openApiDocument();
  const { components } = shared.parse(whole);
  const schemas = inPlace(components.schemas, components);
  return document.parse({
    tags: whole.tags,
    paths: inPlace(whole.paths, components),
    components: { schemas },
  });
};

const parametersOf = ({ parameters }: Operation): string[] => {
  if (parameters.length === 0) return [];
  const rows = parameters.map(
    (it) =>
      `| \`${it.name}\`${it.required ? ' *' : ''} | ${it.in} | ${it.schema ? typeOf(it.schema) : ''} | ${asCell(it.description)} |`,
  );
  return [`| parameter | in | type | meaning |\n|---|---|---|---|\n${rows.join('\n')}`];
};

const bodyOf = ({ requestBody }: Operation): string[] =>
  Object.entries(requestBody?.content ?? {}).flatMap(([type, { schema: sent }]) =>
    sent ? [`Body, \`${type}\`:`, tableOf(sent)] : [],
  );

const isError = (status: string): boolean => Number(status) >= 400;

const answersOf = ({ responses }: Operation): string[] =>
  Object.entries(responses)
    .filter(([status]) => !isError(status))
    .flatMap(([status, { description, content: answered }]) => {
      const [answer] = Object.values(answered);
      const said = `Answers \`${status}\`: ${asProse(description)}`;
      if (!answer?.schema) return [said];
      return answer.schema.properties ? [said, tableOf(answer.schema)] : [`${said} ${typeOf(answer.schema)}`];
    });

const errorsOf = ({ responses }: Operation): string[] => {
  const codes = Object.entries(responses).flatMap(([status, { description }]) =>
    isError(status) ? [...description.matchAll(/^`(\w+)`:/gm)].map(([, code]) => ({ status, code })) : [],
  );
  if (codes.length === 0) return [];
  return [
    `Refuses with ${codes.map(({ status, code }) => `${status} [\`${code}\`](/errors#${code})`).join(', ')}.`,
  ];
};

const sectionOf = (one: Operation): string =>
  [
    `## ${asProse(one.summary)} {#${one.operationId.toLowerCase()}}`,
    `\`\`\`http\n${one.method.toUpperCase()} ${one.path}\n\`\`\``,
    ...(one.description === '' ? [] : [asProse(one.description)]),
    ...parametersOf(one),
    ...bodyOf(one),
    ...answersOf(one),
    ...errorsOf(one),
  ].join('\n\n');

/** A page of the reference. */
export interface ApiPage {
  readonly name: string;
  readonly title: string;
  readonly text: string;
}

/** The pages of the API: an overview, one for each of its subjects, and the schemas that have a name. */
export const apiPages = (): ApiPage[] => {
  const { tags, paths, components } = readDocument();
  const operations: Operation[] = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({ ...described, method, path })),
  );
  const subjects = tags.map(({ name, description }) => ({
    name,
    description,
    all: operations.filter((it) => it.tags.includes(name)),
  }));
  const overview = subjects.map(({ name, description, all }) => {
    const rows = all.map(
      (it) =>
        `| \`${it.method.toUpperCase()} ${it.path}\` | [${asProse(it.summary)}](/api/${name}#${it.operationId.toLowerCase()}) |`,
    );
    return `## ${name}\n\n${asProse(description)}\n\n| request | what it does |\n|---|---|\n${rows.join('\n')}`;
  });
  const named = Object.entries(components.schemas)
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([name, of]) => `## ${name} {#${name.toLowerCase()}}\n\n${tableOf(of)}`);
  return [
    {
      name: 'index',
      title: 'The API',
      text: `# The API\n\nMade from \`/openapi.json\`, which every gateway has for tools. A star marks what must be sent.\n\n${overview.join('\n\n')}\n`,
    },
    ...subjects.map(({ name, description, all }) => ({
      name,
      title: name,
      text: `# ${name}\n\n${asProse(description)}\n\n${all.map(sectionOf).join('\n\n')}\n`,
    })),
    { name: 'schemas', title: 'Schemas', text: `# Schemas\n\n${named.join('\n\n')}\n` },
  ];
};
