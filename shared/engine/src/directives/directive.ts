import { isObject, type JsonObject } from '../json.ts';
import type { Entries, OpenList } from '../parse/list-kind.ts';
import type { ParseContext } from '../parse/parse-context.ts';
import type { Emit } from '../run/run.ts';

/** Whether an entry of a list is a directive. */
export const isDirective = (value: unknown): value is JsonObject =>
  isObject(value) && value.type === 'directive';

/** The list that a directive stands in. */
export interface DirectiveList extends OpenList {
  readonly parseChildren: (
    values: readonly unknown[],
    context: ParseContext,
    kind: OpenList,
  ) => Entries | undefined;
}

/** One directive of the language. */
export interface Directive {
  /** Its keys besides `type`, `directive` and `id`, with what each means. */
  readonly keys: Readonly<Record<string, { readonly required: boolean; readonly meaning: string }>>;
  readonly parse: (value: JsonObject, context: ParseContext, list: DirectiveList) => Emit | undefined;
  readonly meaning: string;
}
