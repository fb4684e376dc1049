import { isList, type JsonObject } from '../json.ts';
import { contextIn, type ParseContext, reportType } from '../parse/parse-context.ts';
import type { Emit, Run } from '../run/run.ts';
import type { DirectiveList } from './directive.ts';

/** Emits entries one after the other. */
export const emitAll = (emits: readonly Emit[], run: Run, out: unknown[]): void => {
  for (const emit of emits) emit(run, out);
};

/** Parses the entries under a key of a directive; none where the key is left out. Undefined when any is wrong. */
export const parseChildren = (
  value: JsonObject,
  key: 'children' | 'else' | 'empty',
  context: ParseContext,
  list: DirectiveList,
): readonly Emit[] | undefined => {
  const children = Object.hasOwn(value, key) ? value[key] : [];
  const at = contextIn(context, key);
  if (!isList(children)) return reportType(at, 'a list', children);
  return list.parseChildren(children, at, list)?.emits;
};
