import { argumentOf } from './argument.ts';
import type { Parameter, SdkOperation } from './operations.ts';
import { literal, propertyName } from './schema-type.ts';

/** Columns of a line. */
const widest = 100;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value as it is written in a program: in a line where it fits. */
export const written = (value: unknown, indent: number): string => {
  if (!Array.isArray(value) && !isObject(value)) return literal(value);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{ ', ' }'];
  const parts = (by: number): string[] =>
    Array.isArray(value)
      ? value.map((one) => written(one, by))
      : Object.entries(value).map(([name, one]) => `${propertyName(name)}: ${written(one, by)}`);
  if (parts(0).length === 0) return Array.isArray(value) ? '[]' : '{}';
  const line = `${open}${parts(indent).join(', ')}${close}`;
  if (!line.includes('\n') && line.length + indent <= widest) return line;
  const pad = ' '.repeat(indent + 2);
  const lines = parts(indent + 2).map((one) => `${pad}${one},\n`);
  return `${open.trim()}\n${lines.join('')}${' '.repeat(indent)}${close.trim()}`;
};

/** A value for a parameter that must be given. */
const exampleValue = ({ name, schema, example }: Parameter): unknown => {
  if (example !== undefined) return example;
  const { enum: values, format } = Object(schema);
  if (Array.isArray(values)) return values[0];
  return format === 'uuid' ? '01938c2e-7b1a-7c3d-9e4f-000060785ef2' : name === 'q' ? 'deploy' : name;
};

/** The call of a method with values that fit, as it stands on a page. */
const callOf = ({ method, path, query, body, source }: SdkOperation, indent: number): string => {
  const required = query.filter((it) => it.required);
  const given = [
    ...path.map((it) => argumentOf(source, it)),
    ...(body === undefined ? [] : [written(source.example, indent)]),
    ...(required.length > 0
      ? [written(Object.fromEntries(required.map((it) => [it.name, exampleValue(it)])), indent)]
      : []),
  ];
  return `stanza.${method.join('.')}(${given.join(', ')})`;
};

const idsOf = ({ path, source }: SdkOperation): string[] =>
  path.map((it) => `const ${argumentOf(source, it)} = ${literal(exampleValue(it))};`);

/** What a program does with the method: lines of TypeScript in which `stanza` is a client. */
export const exampleLines = (operation: SdkOperation): string[] => {
  const { item, reply, event } = operation;
  const ids = idsOf(operation);
  if (item !== undefined)
    return [...ids, `for await (const item of ${callOf(operation, 0)}) {`, '  console.log(item);', '}'];
  if (event !== undefined)
    return [
      ...ids,
      `for await (const event of ${callOf(operation, 0)}) {`,
      '  console.log(event);',
      '  // Without it the loop goes on.',
      '  break;',
      '}',
    ];
  const call = `await ${callOf(operation, 0)};`;
  if (reply === undefined) return [...ids, call];
  return [...ids, `const answer = ${call}`, 'console.log(answer);'].flatMap((text) => text.split('\n'));
};
