import type { Kind, Kinds } from '../grammar/typed.ts';
import type { Summary } from './summary.ts';

/** A block type with all its forms. */
export interface BlockKind extends Kind {
  readonly type: string;
  /** The fallback text of a compiled block. */
  readonly summary: Summary;
  /** What its buttons and menus say: the fallback text of a message that says nothing else. */
  readonly quiet?: Summary;
}

/** Block types by their names. */
export const byType = (kinds: readonly BlockKind[]): Kinds =>
  Object.fromEntries(kinds.map(({ type, summary: _, quiet: __, ...kind }) => [type, kind]));

/** The name of a list of block types in messages and in the schema. */
export const asBlock = { what: 'block', table: 'blocks' } as const;

/** The surface of types that stand in messages alone. */
export const ofMessages = ['message'] as const;
/** The surface of types that stand in views alone. */
export const ofViews = ['view'] as const;
