import { argumentOf } from './argument.ts';
import { argumentsOf } from './arguments.ts';
import { type SdkOperation, sdkOperations } from './operations.ts';
import { commentOf } from './schema-type.ts';
import { eventName, generatedHead, itemName, registrySource, replyName } from './write-types.ts';

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
      branch[step] = next;
      if (isOperation(next)) throw new Error(`${next.source.id} stands where ${operation.source.id} begins`);
      branch = next;
    }
    const name = operation.method.at(-1) ?? '';
    if (branch[name]) throw new Error(`${operation.method.join('.')} is the name of two operations`);
    branch[name] = operation;
  }
  return root;
};

const pathText = ({ source }: SdkOperation): string => {
  const text = source.path.replaceAll(
    /\{(\w+)\}/g,
    (_, name: string) => `\${part(${argumentOf(source, { name })})}`,
  );
  return text.includes('${') ? `\`${text}\`` : `'${text}'`;
};

const callOf = (operation: SdkOperation): string => {
  const { source, method, kind, query, body, item, event } = operation;
  const name = `'${method.join('.')}'`;
  const reply = `types.${replyName(operation)}`;
  if (event !== undefined)
    return `this.follow<types.${eventName(operation)}>(${name}, ${pathText(operation)}, options, query)`;
  if (operation.reply === undefined)
    return `this.run(${name}, '${source.method}', ${pathText(operation)}, options)`;
  if (item !== undefined)
    return `this.list<types.${itemName(operation)}, ${reply}>(${name}, ${pathText(operation)}, options, query)`;
  const rest = [
    'options',
    ...(body || query.length > 0 ? [body ? 'body' : 'undefined'] : []),
    ...(query.length > 0 ? ['query'] : []),
  ];
  return `this.call<${reply}>('${kind}', ${name}, '${source.method}', ${pathText(operation)}, ${rest.join(', ')})`;
};

const methodText = (operation: SdkOperation, name: string, indent: string): string => {
  const { source } = operation;
  const comment = commentOf(`${source.summary}. \`${source.method} /v1${source.path}\``, indent);
  const call = source.id === 'send-bulk' ? 'this.bulk(body, options)' : callOf(operation);
  return `${comment}${indent}${name}: (${argumentsOf(operation)}) => ${call},\n`;
};

const branchText = (branch: Branch, indent: string): string =>
  Object.entries(branch)
    .map(([step, node]) =>
      isOperation(node)
        ? methodText(node, step, indent)
        : `${indent}${step}: {\n${branchText(node, `${indent}  `)}${indent}},\n`,
    )
    .join('');

/** The file of methods: one for each operation. */
export const methodsFile = (): string => {
  const parts = Object.entries(treeOf(sdkOperations)).map(([name, node]) => {
    if (isOperation(node)) throw new Error(`${node.source.id} has no part of the API`);
    return `  readonly ${name} = {\n${branchText(node, '    ')}  };\n`;
  });
  return `${generatedHead(registrySource)}
import { Caller, part } from '../caller.ts';
import type { CallOptions, KeyedOptions, SourceOptions, StreamOptions } from '../options.ts';
import type * as types from './types.ts';

/** Every operation as a method. */
export abstract class Operations extends Caller {
${parts.join('\n')}}
`;
};
