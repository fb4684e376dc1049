import { isList, type JsonObject, jsonTypeOf } from '../json.ts';
import type { Emit } from '../part.ts';
import { type Place, placeIn, report, reportType } from '../place.ts';
import { noteRead } from '../placeholders/evaluate.ts';
import { type ParsedPath, parsePath } from '../placeholders/path.ts';
import { describeReference, readerOf } from '../placeholders/reference.ts';
import { type Frame, noteMissing, noteUnfit, type Run, spendIterations, warn } from '../run.ts';
import { emitAll, parseChildren } from './children.ts';
import type { Directive, DirectiveList } from './directive.ts';

const name = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;
/** Names that mean something else in every path. */
const taken = ['this'];

const parseName = (value: JsonObject, place: Place): string | undefined | false => {
  const { as } = value;
  if (as === undefined) return undefined;
  if (typeof as === 'string' && name.test(as) && !taken.includes(as)) return as;
  report(
    placeIn(place, 'as'),
    'path.syntax',
    '`as` is one word of letters, digits and `_`, other than `this`.',
  );
  return false;
};

const parseMaximum = (value: JsonObject, place: Place): number | undefined => {
  const { max_items: most } = value;
  if (most === undefined) return Number.POSITIVE_INFINITY;
  if (typeof most === 'number' && Number.isSafeInteger(most) && most >= 1) return most;
  return reportType(placeIn(place, 'max_items'), 'a whole number from 1', most);
};

/** What tells of the items that are not shown. It is an item of the list like others, built around the text. */
const parseOverflow = (value: JsonObject, place: Place, list: DirectiveList): readonly Emit[] | undefined => {
  const { overflow_text: text } = value;
  if (text === undefined) return [];
  const at = placeIn(place, 'overflow_text');
  if (typeof text !== 'string') return reportType(at, 'a text', text);
  if (list.note === undefined) {
    return report(
      at,
      'directive.overflow_text',
      'No text can stand in this list; put the note into another block.',
    );
  }
  const scope = { name: 'remaining', steps: undefined, parent: place.scope };
  return list.parseChildren([list.note(text)], { ...at, scope, pinned: true }, list)?.emits;
};

const parseListPath = (value: JsonObject, place: Place): ParsedPath | undefined => {
  const { path } = value;
  if (path === undefined) return undefined;
  const at = placeIn(place, 'path');
  if (typeof path !== 'string') return reportType(at, 'a text', path);
  const parsed = parsePath(path, at);
  if (parsed !== undefined) noteRead(at, parsed, 'list', false);
  return parsed;
};

const noteNoList = (run: Run, path: ParsedPath, given: unknown, pointer: string): void => {
  const { reference } = path;
  if (given === undefined || given === null) {
    noteMissing(run, reference, pointer);
  } else if (run.strict) {
    const reason = `is ${jsonTypeOf(given)}, not a list.`;
    noteUnfit(run, reference, pointer, { rule: 'value.not_list', reason });
  } else {
    const read = describeReference(reference, run.frame);
    const story = `\`${read}\` is ${jsonTypeOf(given)}, not a list, so nothing is emitted.`;
    warn(run, 'value.not_list', pointer, story);
  }
};

interface Loop {
  readonly path: ParsedPath;
  readonly most: number;
  readonly children: readonly Emit[];
  readonly empty: readonly Emit[];
  readonly overflow: readonly Emit[];
  readonly pointer: string;
}

const loopOver = ({ path, most, children, empty, overflow, pointer }: Loop): Emit => {
  const read = readerOf(path.reference);
  return (run, out) => {
    const given = read(run);
    if (!isList(given)) {
      noteNoList(run, path, given, pointer);
      return;
    }
    if (given.length === 0) {
      emitAll(empty, run, out);
      return;
    }
    const shown = Math.min(given.length, most);
    spendIterations(run, shown);
    const parent = run.frame;
    const start = { item: undefined, index: 0, count: given.length, shown, list: path.reference, parent };
    const frame: Frame = start;
    run.frame = frame;
    for (let index = 0; index < shown; index += 1) {
      frame.item = given[index];
      frame.index = index;
      for (const emit of children) emit(run, out);
    }
    if (shown < given.length && overflow.length > 0) {
      run.frame = { ...start, item: given.length - shown };
      emitAll(overflow, run, out);
    }
    run.frame = parent;
  };
};

/** `#each`: entries for every item of a list. */
export const eachDirective: Directive = {
  keys: {
    path: { required: true, meaning: 'the list' },
    as: { required: false, meaning: 'a name for the item, which is also `this`' },
    children: { required: true, meaning: 'the entries for each item' },
    max_items: { required: false, meaning: 'how many items are shown at most' },
    overflow_text: { required: false, meaning: 'says that there are more; sees {{remaining}}' },
    empty: { required: false, meaning: 'the entries for an empty list' },
  },
  meaning: 'entries for every item of a list',
  parse: (value, place, list) => {
    const path = parseListPath(value, place);
    const as = parseName(value, place);
    const most = parseMaximum(value, place);
    const steps = path?.steps && [...path.steps, null];
    const scope = { name: as || undefined, steps, parent: place.scope };
    const children = parseChildren(value, 'children', { ...place, scope }, list);
    const empty = parseChildren(value, 'empty', place, list);
    const overflow = parseOverflow(value, place, list);
    if (path === undefined || as === false || most === undefined) return undefined;
    if (children === undefined || empty === undefined || overflow === undefined) return undefined;
    return loopOver({ path, most, children, empty, overflow, pointer: placeIn(place, 'path').pointer });
  },
};
