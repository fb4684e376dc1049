type Schema = Record<string, unknown>;

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Types that stand for a schema wherever it occurs: a name for a long list of literals. */
export type Names = ReadonlyMap<string, string>;

/** A name as it stands before a colon. */
export const propertyName = (name: string): string =>
  /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);

/** A comment above a declaration; nothing where there is nothing to say. */
export const commentOf = (text: unknown, indent = ''): string => {
  if (typeof text !== 'string' || text === '') return '';
  const lines = text.replaceAll('*/', '* /').split('\n');
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
};

/** A value as it stands in a type. */
export const literal = (value: unknown): string =>
  typeof value === 'string'
    ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
    : JSON.stringify(value);

const unionOf = (types: readonly string[]): string => [...new Set(types)].join(' | ');

const inBrackets = (type: string): string =>
  /[|&]/.test(type) && !type.startsWith('{') ? `(${type})` : type;

const namesIn = (oneOf: unknown): string[][] =>
  listOf(oneOf).map((one) => (isSchema(one) ? listOf(one.required).map(String) : []));

/** The choices that a request makes: of each the alternatives, of which it meets one, by the names that they ask for. */
const choicesOf = ({ oneOf, allOf }: Schema): string[][][] =>
  [oneOf, ...listOf(allOf).map((it) => (isSchema(it) ? it.oneOf : undefined))]
    .map(namesIn)
    .filter((alternatives) => alternatives.length > 0);

const isNullable = (schema: unknown): boolean =>
  isSchema(schema) &&
  (schema.type === 'null' ||
    listOf(schema.type).includes('null') ||
    listOf(schema.anyOf).some((it) => isNullable(it)));

/** Turns JSON Schemas of the interface into TypeScript. References become the names of components. */
export class SchemaTypes {
  readonly #names: Names;

  constructor(names: Names) {
    this.#names = names;
  }

  /** The type of a schema, as it stands in a declaration. */
  typeOf(schema: unknown): string {
    if (!isSchema(schema)) return 'unknown';
    if (typeof schema.$ref === 'string') return schema.$ref.split('/').at(-1) ?? 'unknown';
    if (schema.const !== undefined) return literal(schema.const);
    if (Array.isArray(schema.enum)) return this.#literals(schema.enum);
    const variants = [...listOf(schema.anyOf), ...(schema.type === undefined ? listOf(schema.oneOf) : [])];
    if (variants.length > 0) return unionOf(variants.map((it) => this.typeOf(it)));
    if (Array.isArray(schema.type))
      return unionOf(schema.type.map((type) => this.typeOf({ ...schema, type })));
    return this.#typeNamed(schema);
  }

  /** The declaration of an object by a name: an interface where it can be one. */
  declare(name: string, schema: unknown, comment: unknown): string {
    const head = commentOf(comment ?? (isSchema(schema) ? schema.description : undefined));
    const type = this.typeOf(schema);
    if (isSchema(schema) && type.startsWith('{') && choicesOf(schema).length === 0)
      return `${head}export interface ${name} ${type}\n`;
    return `${head}export type ${name} = ${type};\n`;
  }

  #literals(values: readonly unknown[]): string {
    const text = unionOf(values.map(literal));
    return this.#names.get(text) ?? text;
  }

  #typeNamed(schema: Schema): string {
    if (schema.type === 'integer' || schema.type === 'number') return 'number';
    if (schema.type === 'array') return `${inBrackets(this.typeOf(schema.items))}[]`;
    if (schema.type === 'object') return this.#object(schema);
    return schema.type === 'string' || schema.type === 'boolean' || schema.type === 'null'
      ? schema.type
      : 'unknown';
  }

  #object(schema: Schema): string {
    const properties = isSchema(schema.properties) ? schema.properties : {};
    const rest = schema.additionalProperties;
    if (Object.keys(properties).length === 0)
      return isSchema(rest) ? `Record<string, ${this.typeOf(rest)}>` : 'Record<string, unknown>';
    const choices = choicesOf(schema);
    const required = listOf(schema.required).map(String);
    const own = this.#fields(properties, required, rest, new Set(choices.flat(2)));
    const parts = choices.map((alternatives) => {
      const each = alternatives.map((names) => this.#alternative(properties, names, alternatives.flat()));
      return `(\n  | ${each.join('\n  | ')}\n)`;
    });
    return [...(own === '{\n}' ? [] : [own]), ...parts].join(' & ');
  }

  #fields(properties: Schema, required: readonly string[], rest: unknown, left: ReadonlySet<string>): string {
    const lines = Object.entries(properties)
      .filter(([name]) => !left.has(name))
      .map(([name, property]) => {
        const mark = required.includes(name) ? '' : '?';
        const comment = isSchema(property) ? commentOf(property.description, '  ') : '';
        return `${comment}  ${propertyName(name)}${mark}: ${this.typeOf(property).replaceAll('\n', '\n  ')};\n`;
      });
    const others = isSchema(rest) ? '  [key: string]: unknown;\n' : '';
    return `{\n${lines.join('')}${others}}`;
  }

  /** One of several forms: what it asks for is there, what the others ask for is not. */
  #alternative(properties: Schema, names: readonly string[], all: readonly string[]): string {
    const parts = [...new Set(all)].map((name) => {
      const property = properties[name];
      if (!names.includes(name)) return `${propertyName(name)}?: ${isNullable(property) ? 'null' : 'never'}`;
      const type = this.typeOf(property)
        .split(' | ')
        .filter((it) => it !== 'null')
        .join(' | ');
      return `${propertyName(name)}: ${type}`;
    });
    return `{ ${parts.join('; ')} }`;
  }
}
