import { isList, type JsonObject } from '../json.ts';
import { contextIn, type ParseContext, report, reportType } from '../parse/parse-context.ts';
import type { Emit } from '../run/run.ts';
import { parseChildren } from './children.ts';
import { type Directive, type DirectiveList, isDirective } from './directive.ts';
import {
  loopOver,
  parseListPath,
  parseMaximum,
  parseName,
  scopeOfItem,
  scopeOfRemaining,
  shownBeside,
} from './loop.ts';

/** The item that counts the items not shown, built around the text like any other item. */
const parseOverflow = (
  value: JsonObject,
  context: ParseContext,
  list: DirectiveList,
): readonly Emit[] | undefined => {
  const { overflow_text: text } = value;
  if (text === undefined) return [];
  const at = contextIn(context, 'overflow_text');
  if (typeof text !== 'string') return reportType(at, 'a text', text);
  if (list.note === undefined) {
    return report(
      at,
      'directive.overflow_text',
      'No text can stand in this list; put the note into another block.',
    );
  }
  const scope = scopeOfRemaining(context);
  return list.parseChildren([list.note(text)], { ...at, scope, pinned: true }, list)?.emits;
};

/** Number of entries that an item makes at most; undefined where a directive decides. */
const widthOf = ({ children }: JsonObject): number | undefined =>
  isList(children) && !children.some(isDirective) ? children.length : undefined;

/** `#each`: entries for every item of a list. */
export const eachDirective: Directive = {
  keys: {
    path: { required: true, meaning: 'the list, or the object whose values are the items' },
    as: { required: false, meaning: 'a name for the item, in addition to `this`' },
    children: { required: true, meaning: 'the entries for each item' },
    max_items: { required: false, meaning: 'max number of items shown' },
    overflow_text: {
      required: false,
      meaning: 'text shown if there are more items, within the limit of the list; can use {{remaining}}',
    },
    empty: { required: false, meaning: 'the entries for an empty list or object' },
  },
  meaning: 'entries for every item of a list, or every value of an object in the order of its keys',
  parse: (value, context, list) => {
    const path = parseListPath(value, 'path', context);
    const as = parseName(value, context);
    const most = parseMaximum(value, 'max_items', context);
    const scope = scopeOfItem(path, as || undefined, context);
    const children = parseChildren(value, 'children', { ...context, scope }, list);
    const empty = parseChildren(value, 'empty', context, list);
    const overflow = parseOverflow(value, context, list);
    if (path === undefined || as === false || most === undefined) return undefined;
    if (children === undefined || empty === undefined || overflow === undefined) return undefined;
    const { pointer } = contextIn(context, 'path');
    const width = widthOf(value);
    const shown =
      overflow.length > 0
        ? { ...shownBeside(most, list.room, width), sparse: width ? { most, room: list.room } : undefined }
        : { most, beside: most };
    return loopOver({ path, ...shown, children, empty, overflow, pointer });
  },
};
