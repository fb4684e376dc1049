import { freezeDeep, isObject, type JsonObject } from '../json.ts';
import { indefinite, withArticle } from '../parse/article.ts';
import type { ShapeDescription } from '../parse/description.ts';
import type { Grammar } from '../parse/grammar.ts';
import { hintNearest } from '../parse/nearest.ts';
import { fixed, type Node } from '../parse/node.ts';
import { contextIn, type ParseContext, report, reportType } from '../parse/parse-context.ts';
import { costOf, type Entry, makerOf, type Nature } from './make-object.ts';
import type { Breach, Rule } from './rules.ts';
import { mayBeNew, parseUnknown } from './unknown.ts';

/** One key of an object. */
export interface Field {
  readonly grammar: Grammar;
  /** The key must be given. */
  readonly required: boolean;
  /** When its value is empty: `drop` omits the whole object, `omit` only the key. */
  readonly whenEmpty: 'drop' | 'omit';
  /** The key in the output, where that is another. */
  readonly as?: string;
}

/** The keys of an object and what must hold between them. */
export interface Shape {
  readonly fields: Readonly<Record<string, Field>>;
  readonly rules?: readonly Rule[];
  /** Keys that the platform documents for other objects alone, each with its place: a mistake here, and no news. */
  readonly elsewhere?: Readonly<Record<string, string>>;
  /** Keys that have a meaning only next to a `source`. */
  readonly boundKeys?: readonly string[];
  /** An object of the template language and not of the platform: it has these keys and never others. */
  readonly closed?: true;
}

/** A key that must be given and must come out with a value. */
export const required = (grammar: Grammar): Field => ({ grammar, required: true, whenEmpty: 'drop' });
/** A key that may be left out. */
export const optional = (grammar: Grammar): Field => ({ grammar, required: false, whenEmpty: 'omit' });
/** A key that may be left out; but an object that has it is not shown without it. */
export const guarding = (grammar: Grammar): Field => ({ grammar, required: false, whenEmpty: 'drop' });

const contextOf = ({ at = [] }: Breach, context: ParseContext): ParseContext =>
  at.reduce<ParseContext>((inside, step) => contextIn(inside, step), context);

const isFixedEntry = ({ node }: Entry): boolean => node.fixed;

const build = (entries: readonly Entry[], nature: Nature, context: ParseContext): Node | undefined => {
  const { rules, what } = nature;
  if (!entries.every(isFixedEntry)) return makerOf(entries, nature, context.pointer);
  const value = freezeDeep(
    Object.fromEntries(entries.map(({ key, node }) => [key, node.fixed ? node.value : undefined])),
  );
  for (const rule of rules) {
    const breach = rule.of === 'value' ? rule.test(value) : undefined;
    if (breach === undefined) continue;
    const { omit, message } = breach;
    return omit === undefined
      ? report(contextOf(breach, context), breach.rule, `${withArticle(what)} ${message}.`)
      : report(contextIn(context, omit), breach.rule, `In ${indefinite(what)}, ${message}.`);
  }
  return { fixed: true, value, ...costOf(entries) };
};

/** Parses a value that is to be an object of some shape. */
export type ObjectParser = (value: unknown, context: ParseContext) => Node | undefined;

/**
 * Parses objects by a shape, key by key in the order given.
 *
 * A key that the tables do not know is refused where it is most likely misspelt; one that the platform may have added
 * passes as plain JSON.
 *
 * @param what what the object is, for messages: "section block"
 * @param silent an object that came out empty is reported by its parent
 */
export const objectParser = (shape: Shape, what: string, silent = false): ObjectParser => {
  const { fields, rules = [], boundKeys = [], elsewhere = {}, closed = false } = shape;
  const known = new Map(Object.entries(fields));
  const needed = [...known].filter(([, field]) => field.required).map(([key]) => key);
  const rulesOfTemplate = rules.filter(({ of }) => of !== 'value');

  /** Reports missing keys before any data is read. */
  const checkTemplate = (value: JsonObject, context: ParseContext): boolean => {
    let sound = true;
    for (const key of needed) {
      if (Object.hasOwn(value, key)) continue;
      report(context, 'required', `${withArticle(what)} needs the key \`${key}\`.`);
      sound = false;
    }
    for (const rule of rulesOfTemplate) {
      const breach = rule.test(value);
      if (breach === undefined) continue;
      report(contextOf(breach, context), breach.rule, `${withArticle(what)} ${breach.message}.`);
      sound = false;
    }
    return sound;
  };

  const parseUnknownKey = (key: string, given: unknown, at: ParseContext): Entry | undefined => {
    const place = Object.hasOwn(elsewhere, key) ? elsewhere[key] : undefined;
    const message = `${withArticle(what)} has no key \`${key.slice(0, 80)}\`.`;
    if (place !== undefined)
      return report(at, 'key.unknown', message, { hint: `\`${key}\` is for ${place} alone.` });
    if (!closed && mayBeNew(key, [...known.keys(), ...boundKeys])) {
      const node = parseUnknown(given, `the key \`${key}\` of ${indefinite(what)}`, at);
      return node && { key, node, whenEmpty: 'omit' };
    }
    const hint = boundKeys.includes(key)
      ? { hint: `\`${key}\` goes with a \`source\`, the path to a list.` }
      : hintNearest(key, [...known.keys(), ...boundKeys]);
    return report(at, 'key.unknown', message, hint);
  };

  const parseKey = (key: string, given: unknown, context: ParseContext): Entry | undefined => {
    const field = known.get(key);
    const at = contextIn(context, key);
    if (field === undefined) return parseUnknownKey(key, given, at);
    const node = field.grammar.parse(given, at);
    return node && { key: field.as ?? key, node, whenEmpty: field.whenEmpty };
  };

  return (value, context) => {
    if (!isObject(value)) return reportType(context, indefinite(what), value);
    let sound = checkTemplate(value, context);
    const entries: Entry[] = [];
    for (const key of Object.keys(value)) {
      const entry = parseKey(key, value[key], context);
      if (entry === undefined) sound = false;
      else entries.push(entry);
    }
    return sound ? build(entries, { rules, what, silent }, context) : undefined;
  };
};

/** A shape as `block-schema` shows it. */
export const describeShape = ({ fields, rules = [] }: Shape): ShapeDescription => ({
  fields: Object.fromEntries(
    Object.entries(fields).map(([key, field]) => [
      key,
      { ...field.grammar.describe(), required: field.required },
    ]),
  ),
  ...(rules.length > 0 && { rules: rules.map((rule) => rule.describe) }),
});

/** An object that is known by the key it stands under, not by a `type`. */
export const object = (what: string, shape: Shape): Grammar => ({
  parse: objectParser(shape, what),
  describe: () => ({ kind: 'object', ...describeShape(shape) }),
});

/** A value that may also be null. */
export const nullable = (grammar: Grammar): Grammar => ({
  parse: (value, context) => (value === null ? fixed(null) : grammar.parse(value, context)),
  describe: () => ({ kind: 'nullable', of: grammar.describe() }),
});
