import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { logLevels } from '@stanza/runtime';
import { parseSync } from '@swc/core';
import { z } from 'zod';
import { root } from './markdown.ts';

/** A kind of line, as the code writes it. */
export interface LogMessage {
  level: string;
  message: string;
  /** The fields that its own call gives it. */
  fields: string[];
  file: string;
}

const named = z.object({ type: z.enum(['Identifier', 'PrivateName']), value: z.string() });
const member = z.object({ type: z.literal('MemberExpression'), object: z.unknown(), property: named });
const call = z.object({
  type: z.literal('CallExpression'),
  callee: z.unknown(),
  arguments: z.array(z.object({ expression: z.unknown() })),
});
const words = z.object({ type: z.literal('StringLiteral'), value: z.string() });
const properties = z.object({
  type: z.literal('ObjectExpression'),
  properties: z.array(z.union([named, z.object({ type: z.literal('KeyValueProperty'), key: named })])),
});

/** Whether an expression is a log: `log`, `this.#log`, `parts.log`, or a child that was made on the spot. */
const isLog = (expression: unknown): boolean => {
  const name = named.safeParse(expression).data ?? member.safeParse(expression).data?.property;
  if (name) return name.value === 'log';
  const made = member.safeParse(call.safeParse(expression).data?.callee).data;
  return made?.property.value === 'child' && isLog(made.object);
};

/** What is wrong with a line that can't be told beforehand. */
const unclear = (file: string, what: string): never => {
  throw new Error(`${file}: a line of the log has ${what} that only running it tells`);
};

const fieldsOf = (expression: unknown, file: string): string[] => {
  const given = properties.safeParse(expression).data ?? unclear(file, 'fields');
  return given.properties.map((it) => (it.type === 'KeyValueProperty' ? it.key.value : it.value));
};

const messageOf = (node: unknown, file: string): LogMessage | undefined => {
  const made = call.safeParse(node).data;
  const callee = member.safeParse(made?.callee).data;
  if (!made || !callee || !Object.hasOwn(logLevels, callee.property.value) || !isLog(callee.object)) return;
  const [last, ...fields] = made.arguments.map((it) => it.expression).reverse();
  const { value: message } = words.safeParse(last).data ?? unclear(file, 'words');
  return {
    level: callee.property.value,
    message,
    fields: fields.flatMap((it) => fieldsOf(it, file)),
    file,
  };
};

const isCall = (node: object): boolean => 'type' in node && node.type === 'CallExpression';

/** Every node of a tree, in the order of the source. */
function* nodesOf(tree: unknown): Generator<object> {
  const left = [tree];
  while (left.length > 0) {
    const node = left.pop();
    if (typeof node !== 'object' || node === null) continue;
    yield node;
    left.push(...Object.values(node).reverse());
  }
}

/** The lines that a source file writes. One that never says `log` is not parsed, which takes most of the time. */
export const messagesOf = (source: string, file: string): LogMessage[] => {
  if (!/\blog\b/.test(source)) return [];
  return [...nodesOf(parseSync(source, { syntax: 'typescript', target: 'es2024' }))]
    .filter(isCall)
    .map((node) => messageOf(node, file))
    .filter((it) => it !== undefined);
};

/** Every kind of line that a process of Stanza may write. */
export const logMessages = (): LogMessage[] =>
  globSync('{shared/runtime,deploy/local,services/*}/src/**/*.ts', { cwd: root })
    .filter((file) => !/\.test\.ts$|\/testing\//.test(file))
    .sort()
    .flatMap((file) => messagesOf(readFileSync(join(root, file), 'utf8'), file));
