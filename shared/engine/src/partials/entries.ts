import { isPartialMark } from '../directives/with.ts';
import { isList, isObject, type JsonObject, pointerStep } from '../json.ts';
import type { Block } from '../program/fill-ids.ts';

/** A partial as an entry names it; without a version it is the live one. */
export interface NamedPartial {
  readonly key: string;
  readonly version: number | undefined;
}

type Where = 'blocks' | 'actions' | 'other';

/** Lists of blocks inside a block; free JSON of interactions is none. */
const whereIn = (key: string, where: Where): Where | undefined => {
  if (where === 'actions') return key === 'blocks' ? 'blocks' : undefined;
  if (key === 'child_blocks') return 'blocks';
  if (key === 'interaction') return 'actions';
  return key === 'children' || key === 'else' || key === 'empty' ? where : 'other';
};

/** Gives the entry that stands in place of another one in a list of blocks. */
type Replace = (entry: JsonObject, pointer: string) => JsonObject;

const replacedIn = (value: unknown, pointer: string, where: Where, replace: Replace): unknown => {
  if (isList(value)) {
    return value.map((entry, index) => {
      const at = pointer + pointerStep(index);
      const isEntry = where === 'blocks' && isObject(entry) && isUse(entry);
      return isEntry ? replace(entry, at) : replacedIn(entry, at, where, replace);
    });
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const within = whereIn(key, where);
      const replaced = within && replacedIn(inner, pointer + pointerStep(key), within, replace);
      return [key, within === undefined ? inner : replaced];
    }),
  );
};

/** Whether an entry is a partial: as an author writes it, or as a version has it. */
const isUse = ({ type, directive, partial }: JsonObject): boolean =>
  type === 'directive' && (directive === '#use' || (directive === '#with' && isPartialMark(partial)));

/** Blocks with other entries in place of those that are partials; partials inside partials are left. */
export const withEntries = (blocks: readonly Block[], replace: Replace): Block[] => {
  const replaced = replacedIn(blocks, '', 'blocks', replace);
  return isList(replaced) ? replaced.flatMap((block) => (isBlock(block) ? [block] : [])) : [];
};

const isBlock = (value: unknown): value is Block => isObject(value) && typeof value.type === 'string';

const namedBy = ({ partial, version }: JsonObject): NamedPartial | undefined => {
  if (isPartialMark(partial)) return { key: partial.key, version: partial.version };
  if (typeof partial !== 'string') return undefined;
  return { key: partial, version: typeof version === 'number' ? version : undefined };
};

/** The partials that blocks name themselves, each once. */
export const partialsIn = (blocks: readonly Block[]): NamedPartial[] => {
  const found = new Map<string, NamedPartial>();
  withEntries(blocks, (entry) => {
    const named = namedBy(entry);
    if (named) found.set(`${named.key} ${named.version}`, named);
    return entry;
  });
  return [...found.values()];
};

/** Whether blocks name partials as an author writes them, so that they do not compile as they are. */
export const usesPartials = (blocks: readonly Block[]): boolean => {
  let isFound = false;
  withEntries(blocks, (entry) => {
    isFound ||= entry.directive === '#use';
    return entry;
  });
  return isFound;
};

/**
 * Blocks as an author writes them, with `#use` in place of each partial.
 * @param key names the only partial that loses its version; all unless given
 * @param isRead whether a name that is given stays; all unless given
 */
export const withoutVersions = (
  blocks: readonly Block[],
  key?: string,
  isRead: (name: string) => boolean = () => true,
): Block[] =>
  withEntries(blocks, (entry) => {
    const { partial, children: _, version, directive: __, ...rest } = entry;
    const named = namedBy(entry);
    if (named === undefined || (key !== undefined && named.key !== key)) return entry;
    const { with: given } = rest;
    const kept = isObject(given) ? Object.entries(given).filter(([name]) => isRead(name)) : [];
    const names = isObject(given) && { with: Object.fromEntries(kept) };
    return { ...rest, directive: '#use', partial: named.key, ...names };
  });
