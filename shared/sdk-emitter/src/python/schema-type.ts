import { docstring, pythonLiteral } from './names.ts';

type Schema = Record<string, unknown>;

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const unionOf = (types: readonly string[]): string => {
  const all = [...new Set(types)];
  return all.includes('Any') ? 'Any' : all.join(' | ');
};

const capital = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');

/** A key that a class of Python can have as a field. */
const isField = (name: string): boolean =>
  /^[A-Za-z_]\w*$/.test(name) && !['from', 'in', 'is', 'not'].includes(name);

const scalars: Readonly<Record<string, string>> = {
  integer: 'int',
  number: 'float',
  string: 'str',
  boolean: 'bool',
  null: 'None',
};

/** Fields of a dictionary: name, type, description. */
type Field = readonly [name: string, type: string, description: unknown];

const commentOf = (text: unknown): string =>
  typeof text === 'string' && text !== ''
    ? text
        .split('\n')
        .map((line) => `    # ${line}`.trimEnd())
        .join('\n')
        .concat('\n')
    : '';

/** A typed dictionary whose fields are all there, or may all be missing. */
const dictionary = (name: string, base: string, fields: readonly Field[], isTotal: boolean): string => {
  if (fields.every(([field]) => isField(field))) {
    const lines = fields.map(([field, type, text]) => `${commentOf(text)}    ${field}: ${type}\n`);
    return `class ${name}(${base}${isTotal ? '' : ', total=False'}):\n${lines.join('') || '    pass\n'}`;
  }
  const entries = fields.map(([field, type]) => `    ${JSON.stringify(field)}: ${JSON.stringify(type)},\n`);
  return `${name} = TypedDict(${JSON.stringify(name)}, {\n${entries.join('')}}${isTotal ? '' : ', total=False'})\n`;
};

/** Turns JSON Schemas of the interface into annotations of Python. What has fields is declared by a name. */
export class PythonTypes {
  /** Declarations by name, in the order in which they are to stand. */
  readonly declarations = new Map<string, string>();
  readonly #names: ReadonlyMap<string, string>;

  /** @param names lists of literals that have a name of their own */
  constructor(names: ReadonlyMap<string, string>) {
    this.#names = names;
  }

  /** The annotation of a schema; `name` is for what has to be declared. */
  typeOf(schema: unknown, name: string): string {
    if (!isSchema(schema)) return 'Any';
    if (typeof schema.$ref === 'string') return schema.$ref.split('/').at(-1) ?? 'Any';
    if (schema.const !== undefined)
      return schema.const === null ? 'None' : `Literal[${pythonLiteral(schema.const)}]`;
    if (Array.isArray(schema.enum)) return this.#literals(schema.enum);
    const variants = [...listOf(schema.anyOf), ...(schema.type === undefined ? listOf(schema.oneOf) : [])];
    if (variants.length > 0)
      return unionOf(variants.map((it, at) => this.typeOf(it, at === 0 ? name : `${name}${at + 1}`)));
    if (Array.isArray(schema.type))
      return unionOf(schema.type.map((type) => this.typeOf({ ...schema, type }, name)));
    if (schema.type === 'array') return `list[${this.typeOf(schema.items, `${name}Item`)}]`;
    if (schema.type === 'object') return this.#object(schema, name);
    return scalars[String(schema.type)] ?? 'Any';
  }

  /** Declares a schema by a name. */
  declare(name: string, schema: unknown): void {
    if (this.declarations.has(name)) return;
    const type = this.typeOf(schema, name);
    if (type !== name) this.declarations.set(name, `${name}: TypeAlias = ${JSON.stringify(type)}\n`);
  }

  #literals(values: readonly unknown[]): string {
    const text = `Literal[${values.map(pythonLiteral).join(', ')}]`;
    return this.#names.get(text) ?? text;
  }

  #object(schema: Schema, name: string): string {
    const properties = Object.entries(isSchema(schema.properties) ? schema.properties : {});
    const rest = schema.additionalProperties;
    if (properties.length === 0)
      return `dict[str, ${isSchema(rest) ? this.typeOf(rest, `${name}Value`) : 'Any'}]`;
    // A typed dictionary has no further keys, as blocks do.
    if (isSchema(rest)) return 'dict[str, Any]';
    if (this.declarations.has(name)) throw new Error(`two dictionaries would have the name ${name}`);
    // Its place is kept before those of its parts are taken.
    this.declarations.set(name, '');
    const required = listOf(schema.required);
    const fields = properties.map(
      ([field, property]): Field => [
        field,
        this.typeOf(property, `${name}${capital(field)}`),
        isSchema(property) ? property.description : undefined,
      ],
    );
    const always = fields.filter(([field]) => required.includes(field));
    const others = fields.filter(([field]) => !required.includes(field));
    const text = typeof schema.description === 'string' ? docstring(schema.description, '    ') : '';
    this.declarations.set(name, this.#declared(name, always, others, text));
    return name;
  }

  /** Python 3.10 has no mark for a field that may be missing, so those that may are a class of their own. */
  #declared(name: string, always: readonly Field[], others: readonly Field[], text: string): string {
    const isPlain = [...always, ...others].every(([field]) => isField(field));
    const withText = (declared: string): string =>
      text === '' ? declared : declared.replace(/^(class \w+\(.*\):\n)(?: {4}pass\n$)?/, `$1${text}`);
    if (others.length === 0 && isPlain) return withText(dictionary(name, 'TypedDict', always, true));
    if (always.length === 0 && isPlain) return withText(dictionary(name, 'TypedDict', others, false));
    const base = dictionary(`_${name}Always`, 'TypedDict', always, true);
    if (isPlain) return `${base}\n\n${withText(dictionary(name, `_${name}Always`, others, false))}`;
    const second = dictionary(`_${name}Maybe`, 'TypedDict', others, false);
    return `${base}\n\n${second}\n\n${withText(`class ${name}(_${name}Always, _${name}Maybe):\n    pass\n`)}`;
  }
}
