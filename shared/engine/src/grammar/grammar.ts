import type { Node } from '../parse/node.ts';
import type { ParseContext } from '../parse/parse-context.ts';
import type { Description } from './description.ts';

/** What a value of a template must be: how it is parsed to a node of the program, and how `block-schema` shows it. */
export interface Grammar {
  /** Parses a value; undefined when anything in it is wrong, which is then reported, all of it. */
  readonly parse: (value: unknown, context: ParseContext) => Node | undefined;
  /** Names of other entries stand for these, so that it ends. */
  readonly describe: () => Description;
  /** Tests one plain value; where there is a test, a list of such values may come from the data as a whole. */
  readonly test?: ScalarTest;
}

/** What is wrong with a plain value, in words that follow "is"; undefined when nothing is. */
export type ScalarTest = (value: unknown) => string | undefined;
