import { argumentOf } from './argument.ts';
import type { SdkOperation } from './operations.ts';
import { bodyName } from './write-types.ts';

const optionsType = ({ kind, event, source }: SdkOperation): string => {
  if (event !== undefined) return 'StreamOptions';
  if (source.takesSource) return 'SourceOptions';
  return kind === 'keyed' ? 'KeyedOptions' : 'CallOptions';
};

/** The arguments of a method, as its declaration has them. */
export const argumentsOf = (operation: SdkOperation): string => {
  const { path, query, body, isBodyRequired, typeName } = operation;
  const isQueryRequired = query.some((it) => it.required);
  return [
    ...path.map((it) => `${argumentOf(operation.source, it)}: string`),
    ...(body === undefined ? [] : [`body${isBodyRequired ? '' : '?'}: types.${bodyName(operation)}`]),
    ...(query.length > 0 ? [`query${isQueryRequired ? '' : '?'}: types.${typeName}Query`] : []),
    `options?: ${optionsType(operation)}`,
  ].join(', ');
};
