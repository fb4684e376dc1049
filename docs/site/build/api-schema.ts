import { z } from 'zod';

/** What a page shows of a JSON Schema. */
export const schema = z.object({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  format: z.string().optional(),
  description: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  default: z.unknown().optional(),
  required: z.array(z.string()).default([]),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
  get items() {
    return schema.optional();
  },
  get properties() {
    return z.record(z.string(), schema).optional();
  },
  get anyOf() {
    return z.array(schema).optional();
  },
  get oneOf() {
    return z.array(schema).optional();
  },
});

/** What a page shows of a JSON Schema. */
export type Schema = z.infer<typeof schema>;

/** Text of a page: markup is escaped, and names of pages become links. */
export const asProse = (text: string): string =>
  text
    .split(/(`[^`]*`)/)
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part.replaceAll('<', '&lt;').replaceAll(/\bdocs\/([\w-]+)\.md\b/g, '[$1](/$1)'),
    )
    .join('')
    .replaceAll('|', '\\|');

/** Text for a cell of a table, which is one line. */
export const asCell = (text: string): string => asProse(text).replaceAll(/\s*\n\s*/g, ' ');

const code = (value: unknown): string => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;

/** The type of a value in words, with links to the schemas that have a name. */
export const typeOf = (of: Schema): string => {
  if (of.$ref !== undefined) {
    const name = of.$ref.split('/').at(-1) ?? '';
    return `[${name}](/api/schemas#${name.toLowerCase()})`;
  }
  if (of.const !== undefined) return code(of.const);
  if (of.enum) return of.enum.map(code).join(' ');
  const choices = of.anyOf ?? (of.type === undefined ? of.oneOf : undefined);
  if (choices) return [...new Set(choices.map(typeOf))].join(' or ');
  if (of.type === 'array') return of.items ? `list of ${typeOf(of.items)}` : 'list';
  return of.format ?? (Array.isArray(of.type) ? of.type.join(' or ') : (of.type ?? 'any value'));
};

const range = (unit: string, least?: number, most?: number): string[] => {
  if (least !== undefined && most !== undefined) return [`${least} to ${most}${unit}`];
  if (most !== undefined) return [`at most ${most}${unit}`];
  return least !== undefined && least > 0 ? [`at least ${least}${unit}`] : [];
};

const notesOf = (of: Schema): string =>
  [
    ...(of.description === undefined ? [] : [asCell(of.description)]),
    ...range(' signs', of.minLength, of.maxLength),
    ...range('', of.minimum, of.maximum === Number.MAX_SAFE_INTEGER ? undefined : of.maximum),
    ...range(' entries', of.minItems, of.maxItems),
    ...(of.default === undefined ? [] : [`default ${asProse(code(of.default))}`]),
  ].join('; ');

/** The fields of an object, those of objects in it too. */
const fieldsOf = (of: Schema, prefix = ''): string[] =>
  Object.entries(of.properties ?? {}).flatMap(([name, field]) => {
    const inner = field.type === 'array' ? field.items : field;
    const below = `${prefix}${name}${field.type === 'array' ? '[]' : ''}.`;
    return [
      `| \`${prefix}${name}\`${of.required.includes(name) ? ' *' : ''} | ${typeOf(field)} | ${notesOf(field)} |`,
      ...(inner && inner.$ref === undefined ? fieldsOf(inner, below) : []),
    ];
  });

/** The table of an object's fields; of another value its type. */
export const tableOf = (of: Schema): string => {
  const fields = fieldsOf(of);
  const note = of.description === undefined ? '' : `${asProse(of.description)}\n\n`;
  if (fields.length === 0) return `${note}${typeOf(of)}`;
  return `${note}| field | type | meaning |\n|---|---|---|\n${fields.join('\n')}`;
};
