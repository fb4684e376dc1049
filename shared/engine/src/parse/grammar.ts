import type { Description } from './description.ts';
import type { Node } from './node.ts';
import type { ParseContext } from './parse-context.ts';

/** The grammar of a value: parses it to a node of the program, and describes it for `block-schema`. */
export interface Grammar {
  /** Parses a value; undefined when anything in it is wrong, which is then reported, all of it. */
  readonly parse: (value: unknown, context: ParseContext) => Node | undefined;
  /** Names of other entries stand for these, so that it ends. */
  readonly describe: () => Description;
  /** Tests one plain value; where there is a test, a list of such values may come from the data as a whole. */
  readonly test?: ScalarTest;
}

/** The fault of a plain value, in words that follow "is"; undefined for a valid one. */
export type ScalarTest = (value: unknown) => string | undefined;
