import type { JsonObject } from '../json.ts';
import type { Entries, ListKind } from '../parse/list-kind.ts';
import type { ParseContext } from '../parse/parse-context.ts';
import type { Emit } from '../run/run.ts';

/** The list that a directive stands in. */
export interface DirectiveList extends ListKind {
  readonly parseChildren: (
    values: readonly unknown[],
    context: ParseContext,
    kind: ListKind,
  ) => Entries | undefined;
}

/** One directive of the language. */
export interface Directive {
  /** Its keys besides `type`, `directive` and `id`, with what each means. */
  readonly keys: Readonly<Record<string, { readonly required: boolean; readonly meaning: string }>>;
  readonly parse: (value: JsonObject, context: ParseContext, list: DirectiveList) => Emit | undefined;
  readonly meaning: string;
}
