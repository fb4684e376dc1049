import { noteRead } from '../expressions/placeholders/evaluate.ts';
import { parsePath } from '../expressions/placeholders/path.ts';
import { hasPlaceholder } from '../expressions/placeholders/scan.ts';
import { isList, isObject, type JsonObject } from '../json.ts';
import type { Texts } from '../languages/texts.ts';
import { contextIn, type ParseContext, report, reportType } from '../parse/parse-context.ts';
import type { ParsedPath } from '../parse/parsed-path.ts';
import { textsIn } from '../translations/parse-translations.ts';
import { emitAll, parseChildren } from './children.ts';
import type { Directive } from './directive.ts';

const literal = (value: unknown, context: ParseContext): ParsedPath | undefined => {
  if (typeof value === 'string' && hasPlaceholder(value)) {
    return report(context, 'with.value', 'A value is shown as it is written, placeholders too.', {
      hint: 'Give the name a path, or write the text where the name is read.',
    });
  }
  return { reference: { origin: 'given', up: 0, segments: [], written: '', value }, steps: undefined };
};

/** What a name stands for; undefined when it is wrong, which is then reported. */
const parseGiven = (given: unknown, context: ParseContext): ParsedPath | undefined => {
  if (typeof given === 'string') {
    const path = parsePath(given, context);
    // Whether it may be missing is for what reads the name; an interaction keeps what is given inside it.
    if (path && context.parsing.tap) noteRead(context, path, 'condition');
    return path;
  }
  const isLiteral = isObject(given) && Object.keys(given).length === 1 && Object.hasOwn(given, 'value');
  if (isLiteral) return literal(given.value, contextIn(context, 'value'));
  return report(context, 'with.value', 'A name stands for a path, or for a value as {"value": …}.');
};

/** Reads the names of a `with`; undefined when it is no object, which is then reported. */
const parseNames = (value: JsonObject, context: ParseContext) => {
  const { with: names } = value;
  const at = contextIn(context, 'with');
  if (names === undefined) return undefined;
  if (!isObject(names)) return reportType(at, 'an object of names', names);
  return new Map(
    Object.entries(names).map(([name, given]) => [name, parseGiven(given, contextIn(at, name))]),
  );
};

/** The mark of the entries of a partial: its key, and the number of its version. */
export const isPartialMark = (mark: unknown): mark is { key: string; version: number } =>
  isObject(mark) && typeof mark.key === 'string' && Number.isSafeInteger(mark.version);

/** Reads which partial the entries are of; false when that is wrong, which is then reported. */
const parsePartial = ({ partial }: JsonObject, context: ParseContext): boolean => {
  if (partial === undefined) return true;
  if (isPartialMark(partial)) {
    const { pointer, parsing } = context;
    parsing.partials.push({ pointer, key: partial.key, version: partial.version });
    return true;
  }
  reportType(contextIn(context, 'partial'), 'the key and the version of a partial', partial);
  return false;
};

/** The texts of the children: a partial has its own, and reads none of the template. */
const textsOf = ({ children, partial }: JsonObject, context: ParseContext): Texts | undefined => {
  const own = isList(children) ? textsIn(children, contextIn(context, 'children')) : undefined;
  return own ?? (partial === undefined ? context.texts : undefined);
};

/** `#with`: entries that read the names it gives, and nothing else. */
export const withDirective: Directive = {
  keys: {
    with: { required: true, meaning: 'the names, each with a path or {"value": …}' },
    children: { required: true, meaning: 'the entries, which can read only the names' },
    partial: {
      required: false,
      meaning: 'the partial and version of the entries; written by the service',
    },
  },
  meaning: 'entries that can read only the given names',
  parse: (value, context, list) => {
    const given = parseNames(value, context);
    const { scope, names: parent } = context;
    const isMarked = parsePartial(value, context);
    // What is inside cannot be judged without the names.
    if (given === undefined || !isMarked) return undefined;
    const names = { given, scope, parent, isPartial: value.partial !== undefined };
    const inside = { ...context, scope: undefined, names, texts: textsOf(value, context) };
    const emits = parseChildren(value, 'children', inside, list);
    const isSound = [...given.values()].every((path) => path !== undefined);
    return isSound && emits ? (run, out) => emitAll(emits, run, out) : undefined;
  },
};
