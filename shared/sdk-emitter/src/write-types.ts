import { errorTable, scopes } from '@stanza/contracts';
import { components, type SdkOperation, sdkOperations } from './operations.ts';
import { commentOf, literal, SchemaTypes } from './schema-type.ts';

/** Where operations, resources, codes and scopes are declared. */
export const registrySource = 'shared/contracts/src';

/** The first line of a file that the build makes. */
export const generatedHead = (source: string): string =>
  `// Made from ${source} by the build; changes belong there.\n`;

const codes = Object.keys(errorTable).map(literal);
const scopeNames = scopes.map(literal);
const types = new SchemaTypes(
  new Map([
    [codes.join(' | '), 'ErrorCode'],
    [scopeNames.join(' | '), 'Scope'],
  ]),
);

/** Schemas of errors, which an SDK throws as an error of its own, and lists that it declares by hand. */
export const ofErrors = new Set(['Error', 'ErrorCode', 'Scope', 'ScimError', 'ValidationError']);

const queryType = ({ query, typeName }: SdkOperation): string => {
  const fields = query.map(({ name, required, description, schema }) => {
    const comment = commentOf(description, '  ');
    return `${comment}  ${name}${required ? '' : '?'}: ${types.typeOf(schema)};\n`;
  });
  return `export interface ${typeName}Query {\n${fields.join('')}}\n`;
};

/** A component's own name, where a schema is nothing but a reference to it. */
const referredName = (schema: unknown): string | undefined => {
  const type = types.typeOf(schema);
  return /^[A-Z]\w*$/.test(type) ? type : undefined;
};

/** The type of an operation's body, as methods name it. */
export const bodyName = ({ body, typeName }: SdkOperation): string => referredName(body) ?? `${typeName}Body`;

/** The type of an operation's answer, as methods name it. */
export const replyName = ({ reply, typeName }: SdkOperation): string => {
  if (reply === undefined) return 'void';
  return referredName(reply) ?? `${typeName}Reply`;
};

/** The type of an item of a list, as methods name it. */
export const itemName = ({ item, typeName }: SdkOperation): string => referredName(item) ?? `${typeName}Item`;

/** The type of the data of an event, as methods name it. */
export const eventName = ({ event, typeName }: SdkOperation): string =>
  referredName(event) ?? `${typeName}Event`;

const declarationsOf = (operation: SdkOperation): string[] => {
  const { typeName, query, body, reply, item, event } = operation;
  return [
    ...(query.length > 0 ? [queryType(operation)] : []),
    ...(body !== undefined && !referredName(body) ? [types.declare(`${typeName}Body`, body, undefined)] : []),
    ...(reply !== undefined && !referredName(reply)
      ? [types.declare(`${typeName}Reply`, reply, undefined)]
      : []),
    ...(item !== undefined && !referredName(item) ? [types.declare(`${typeName}Item`, item, undefined)] : []),
    ...(event !== undefined && !referredName(event)
      ? [types.declare(`${typeName}Event`, event, undefined)]
      : []),
  ];
};

const codesOf = ({ method, codes: own }: SdkOperation): string =>
  `  '${method.join('.')}': ${own.map((code) => `'${code}'`).join(' | ')};\n`;

/** The file of types: resources, requests, answers, codes. */
export const typesFile = (): string => {
  const resources = Object.entries(components)
    .filter(([name]) => !ofErrors.has(name))
    .map(([name, schema]) => types.declare(name, schema, undefined));
  return [
    generatedHead(registrySource),
    `/** A code of an error; a newer server may have more. */\nexport type ErrorCode =\n  | ${codes.join('\n  | ')};\n`,
    `/** What a key may do. */\nexport type Scope =\n  | ${scopeNames.join('\n  | ')};\n`,
    ...resources,
    ...sdkOperations.flatMap(declarationsOf),
    `/** The codes that each operation can answer. */\nexport interface OperationCodes {\n${sdkOperations.map(codesOf).join('')}}\n`,
  ].join('\n');
};
