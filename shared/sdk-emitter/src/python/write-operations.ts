import { type SdkOperation, sdkOperations } from '../operations.ts';
import { bodyName, eventName, itemName, registrySource, replyName } from '../write-types.ts';
import { docstring, idOf, pythonHead, snake } from './names.ts';
import { queryTypeOf } from './write-types.ts';

/** Methods by the step under which they are found; a step is a method or leads to more. */
interface Branch {
  [step: string]: Branch | SdkOperation;
}

const isOperation = (node: Branch | SdkOperation): node is SdkOperation => 'source' in node;

const treeOf = (operations: readonly SdkOperation[]): Branch => {
  const root: Branch = {};
  for (const operation of operations) {
    let branch = root;
    for (const step of operation.method.slice(0, -1)) {
      const next = branch[step] ?? {};
      if (isOperation(next)) throw new Error(`${next.source.id} stands where ${operation.source.id} begins`);
      branch[step] = next;
      branch = next;
    }
    branch[operation.method.at(-1) ?? ''] = operation;
  }
  return root;
};

/** An annotation of the module of types, as another module names it. */
const inTypes = (type: string): string =>
  type.replaceAll(/(?<!["\w.])(?!Literal|Any|None\b)([A-Z]\w*)\b(?!")/g, 'types.$1');

const keywordsOf = (operation: SdkOperation): string[] => {
  const { query, kind, source } = operation;
  return [
    ...query.map((it) => {
      const type = inTypes(queryTypeOf(operation, it));
      return `${snake(it.name)}: ${it.required ? type : `${type} | None = None`}`;
    }),
    ...(source.takesSource ? ['source_key: str | None = None'] : []),
    ...(kind === 'keyed' ? ['idempotency_key: str | None = None'] : []),
    'timeout: float | None = None',
    ...(operation.item === undefined && operation.event === undefined
      ? ['on_answer: OnAnswer | None = None']
      : []),
  ];
};

const positionalsOf = (operation: SdkOperation): string[] => {
  const { path, body, isBodyRequired } = operation;
  const type = `types.${bodyName(operation)}`;
  return [
    ...path.map((it) => `${idOf(operation, it)}: str`),
    ...(body === undefined ? [] : [isBodyRequired ? `body: ${type}` : `body: ${type} | None = None`]),
  ];
};

const pathText = (operation: SdkOperation): string => {
  const text = operation.source.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = operation.path.find((it) => it.name === name);
    if (!parameter) throw new Error(`${operation.source.id} describes no ${name}`);
    return `{part(${idOf(operation, parameter)})}`;
  });
  return text.includes('{') ? `f"${text}"` : `"${text}"`;
};

const replyType = (operation: SdkOperation): string => {
  const { reply, item, event } = operation;
  if (event !== undefined) return `Stream[types.${eventName(operation)}]`;
  if (item !== undefined) return `Pages[types.${itemName(operation)}, types.${replyName(operation)}]`;
  return reply === undefined ? 'None' : `types.${replyName(operation)}`;
};

const nameOf = ({ method }: SdkOperation): string => method.map(snake).join('.');

const callOf = (operation: SdkOperation): string => {
  const { source, kind, query, body, item, event, reply } = operation;
  const given = query.map((it) => `${JSON.stringify(it.name)}: ${snake(it.name)}`);
  const words = [`"${nameOf(operation)}"`, pathText(operation)];
  const asked = query.length > 0 ? [`query={${given.join(', ')}}`] : [];
  if (event !== undefined) return `stream(${[...words, ...asked, 'timeout=timeout'].join(', ')})`;
  if (item !== undefined) return `pages(${[...words, ...asked, 'timeout=timeout'].join(', ')})`;
  const options = [
    ...(body === undefined ? [] : ['body=body']),
    ...asked,
    ...(source.takesSource ? ['source_key=source_key'] : []),
    ...(kind === 'keyed' ? ['idempotency_key=idempotency_key'] : []),
    'timeout=timeout',
    'on_answer=on_answer',
    ...(reply === undefined ? ['is_empty=True'] : []),
  ];
  return `call("${kind}", ${[words[0], `"${source.method}"`, words[1], ...options].join(', ')})`;
};

const signature = (
  name: string,
  positionals: readonly string[],
  keywords: readonly string[],
  type: string,
) => {
  const all = ['self', ...positionals, ...(keywords.length > 0 ? ['*'] : []), ...keywords];
  return `    def ${name}(\n${all.map((one) => `        ${one},\n`).join('')}    ) -> ${type}:\n`;
};

const methodText = (operation: SdkOperation, name: string): string => {
  const { source } = operation;
  const text = `${source.summary}. \`${source.method} /v1${source.path}\``;
  const head = signature(snake(name), positionalsOf(operation), keywordsOf(operation), replyType(operation));
  const call = `self._caller.${callOf(operation)}`;
  return `${head}${docstring(text, '        ')}${answered(call, replyType(operation))}`;
};

/** The lines that answer what a call gives, as the type that the registry says. */
const answered = (call: string, type: string): string =>
  type === 'None' ? `        ${call}\n` : `        answer: ${type} = ${call}\n        return answer\n`;

const capital = (step: string): string => step.charAt(0).toUpperCase() + step.slice(1);

/** The class of a branch, after those that are found in it. */
const classesOf = (name: string, branch: Branch): string[] => {
  const nodes = Object.entries(branch);
  const inner = nodes.flatMap(([step, node]) => (isOperation(node) ? [] : [[step, node] as const]));
  const own = inner.map(([step]) => `        self.${snake(step)} = ${name}${capital(step)}(caller)\n`);
  const methods = nodes.flatMap(([step, node]) => (isOperation(node) ? [methodText(node, step)] : []));
  const start = `    def __init__(self, caller: Caller) -> None:\n        self._caller = caller\n${own.join('')}`;
  return [
    ...inner.flatMap(([step, node]) => classesOf(`${name}${capital(step)}`, node)),
    `class ${name}:\n${[start, ...methods].join('\n')}`,
  ];
};

const namingKeys = new Set(['template_id', 'template_key']);

/** A method of what is done most: the template first, the fields of the body by their names. */
const shortcutOf = (id: string, name: string, description: string): string => {
  const operation = sdkOperations.find(({ source }) => source.id === id);
  if (!operation) throw new Error(`there is no operation ${id}`);
  const { properties, required = [] } = Object(operation.body);
  const fields = Object.keys(properties).filter((field) => !namingKeys.has(field) && field !== 'blocks');
  const type = (field: string) => `types.${bodyName(operation)}`.concat(`.${field}`);
  const annotations: Readonly<Record<string, string>> = {
    data: 'Mapping[str, Any]',
    destinations: 'Sequence[types.SendBulkBodyDestinationsItem]',
  };
  const keywords = fields.map((field) => {
    const { type: of } = Object(properties[field]);
    const scalar =
      of === 'integer' ? 'int' : of === 'boolean' ? 'bool' : of === 'array' ? 'Sequence[Any]' : 'str';
    const annotation = annotations[field] ?? scalar;
    if (!annotation) throw new Error(`${type(field)} has no annotation`);
    return `${field}: ${required.includes(field) ? annotation : `${annotation} | None = None`}`;
  });
  const options = keywordsOf(operation).filter((it) => !it.startsWith('source_key'));
  const given = fields.map((field) => `${JSON.stringify(field)}: ${field}`).join(', ');
  const passed = options.map((it) => it.split(':')[0] ?? '').map((it) => `${it}=${it}`);
  const reply = id === 'send-bulk' ? 'types.SendBulkReply' : replyType(operation);
  const target =
    id === 'send-bulk'
      ? 'self._caller.bulk('
      : `self._caller.call("${operation.kind}", "${nameOf(operation)}", "POST", "${operation.source.path}", `;
  return `${signature(name, ['template: str'], [...keywords, ...options], reply)}${docstring(description, '        ')}        body = named(template, {${given}})
${answered(`${target}body=body, ${passed.join(', ')})`, reply)}`;
};

/** The module of methods: one for each operation, and the short ones. */
export const operationsModule = (): string => {
  const roots = Object.entries(treeOf(sdkOperations)).map(([step, node]) => {
    if (isOperation(node)) throw new Error(`${node.source.id} has no part of the API`);
    return [step, node] as const;
  });
  const parts = roots.map(([step]) => `        self.${snake(step)} = ${capital(step)}(caller)\n`);
  return `${pythonHead(registrySource)}"""Every operation as a method."""
from __future__ import annotations

from typing import Any, Literal, Mapping, Sequence

from . import _types as types
from ._caller import Caller, OnAnswer, named, part
from ._pages import Pages
from ._stream import Stream

${roots.flatMap(([step, node]) => classesOf(capital(step), node)).join('\n\n')}

class Operations:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller
${parts.join('')}
${[
  shortcutOf(
    'send-template',
    'send',
    'Compiles the live version of a template, named by its key or id, and posts it, once.',
  ),
  shortcutOf(
    'send-bulk',
    'send_bulk',
    'Compiles a template once and posts it to any number of destinations, a hundred with each request.',
  ),
  shortcutOf(
    'compile-template',
    'compile',
    'Compiles the live version of a template; you post the blocks yourself.',
  ),
  shortcutOf('preview-template', 'preview', 'Shows what a version makes of data, free of charge.'),
].join('\n')}`;
};
