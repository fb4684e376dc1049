import { errorTable, scopes } from '@stanza/contracts';
import { components, type SdkOperation, sdkOperations } from '../operations.ts';
import { bodyName, eventName, itemName, ofErrors, registrySource, replyName } from '../write-types.ts';
import { pythonHead, pythonLiteral } from './names.ts';
import { PythonTypes } from './schema-type.ts';

const literals = (values: readonly string[]): string => `Literal[${values.map(pythonLiteral).join(', ')}]`;

const codes = literals(Object.keys(errorTable));
const scopeNames = literals(scopes);

const types = new PythonTypes(
  new Map([
    [codes, 'ErrorCode'],
    [scopeNames, 'Scope'],
  ]),
);

const declareOf = (operation: SdkOperation): void => {
  const { body, reply, item, event } = operation;
  const named = [
    [body, bodyName(operation)],
    [reply, replyName(operation)],
    [item, itemName(operation)],
    [event, eventName(operation)],
  ] as const;
  for (const [schema, name] of named) if (schema !== undefined) types.declare(name, schema);
};

/** The annotation of a parameter of a query; the names of its parts are those of its operation. */
export const queryTypeOf = (
  { typeName }: SdkOperation,
  { name, schema }: { name: string; schema: unknown },
) => types.typeOf(schema, `${typeName}Query${name}`);

for (const [name, schema] of Object.entries(components)) if (!ofErrors.has(name)) types.declare(name, schema);
for (const operation of sdkOperations) declareOf(operation);

/** The module of types: resources, requests, answers, codes. */
export const typesModule = (): string => {
  const declared = [...types.declarations.values()].filter((text) => text !== '');
  return `${pythonHead(registrySource)}"""The shapes of requests and answers, which are plain dictionaries."""
from __future__ import annotations

from typing import Any, Literal, TypedDict

from typing import TypeAlias

# A code of an error; a newer server may have more.
ErrorCode: TypeAlias = ${JSON.stringify(codes)}

# What a key may do.
Scope: TypeAlias = ${JSON.stringify(scopeNames)}


${declared.join('\n\n')}`;
};
