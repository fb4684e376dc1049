import { isObject, type JsonObject } from '../json.ts';
import { indefinite, withArticle } from '../parse/article.ts';
import type { ShapeDescription, TableName } from '../parse/description.ts';
import type { Grammar } from '../parse/grammar.ts';
import { hintNearest } from '../parse/nearest.ts';
import { fixed, type Node } from '../parse/node.ts';
import { contextIn, type ParseContext, report, reportType, type Surface } from '../parse/parse-context.ts';
import { describeShape, type ObjectParser, objectParser, required, type Shape } from './object.ts';
import { mayBeNew, parseUnknown } from './unknown.ts';

/** An entry of the catalogue: an object that is known by its `type`. */
export interface Kind {
  readonly shape: Shape;
  /** An object that came out empty is reported by its parent. */
  readonly silent?: boolean;
  /** Its bound form with a `source` of the data, next to its native form. */
  readonly boundForm?: ShapeDescription;
  /** It has no native form. */
  readonly boundAlone?: true;
  /** Surfaces that allow it; both when omitted. */
  readonly surfaces?: readonly Surface[];
  /** Notes in the template what its author should know of an object; called before it is parsed. */
  readonly note?: (value: JsonObject, context: ParseContext) => void;
  /** Changes how the object is parsed, around the parsing by its shape. */
  readonly around?: (value: JsonObject, context: ParseContext, parser: ObjectParser) => Node | undefined;
}

/** Entries of the catalogue by their `type`. */
export type Kinds = Readonly<Record<string, Kind>>;

const ownType: Grammar = { parse: (value) => fixed(value), describe: () => ({ kind: 'type' }) };

/** Some entries of a table. */
export const pick = (kinds: Kinds, ...names: readonly string[]): Kinds =>
  Object.fromEntries(Object.entries(kinds).filter(([name]) => names.includes(name)));

interface TypedOptions {
  /** The name of the objects in messages: "block". */
  readonly what: string;
  /** Types that are known but never taken, with the reason. */
  readonly refused?: Readonly<Record<string, string>>;
  /** Advice for a plain text in its place. */
  readonly hint?: string;
  /** The table that the kinds are in, where others refer to them by name. */
  readonly table?: TableName;
  /** An object of a type that no table knows passes as plain JSON: the platform adds such, and each matters little. */
  readonly open?: true;
}

const reportUnknown = (
  type: string,
  names: readonly string[],
  context: ParseContext,
  options: TypedOptions,
): undefined => {
  const { what, refused = {} } = options;
  const at = contextIn(context, 'type');
  const reason = Object.hasOwn(refused, type) ? refused[type] : undefined;
  if (reason !== undefined) return report(at, 'type.not_posted', reason);
  const hint =
    type === 'directive'
      ? { hint: 'A directive is an entry of a list: put the block that this stands in into the directive.' }
      : hintNearest(type, names);
  return report(at, 'type.unknown', `There is no ${what} of the type \`${type.slice(0, 80)}\` here.`, hint);
};

/** A kind that is ready to parse. */
interface KnownKind extends Kind {
  readonly parser: ObjectParser;
}

const known = (kinds: Kinds, what: string): Map<string, KnownKind> =>
  new Map(
    Object.entries(kinds).map(([type, kind]) => {
      const shape = { ...kind.shape, fields: { type: required(ownType), ...kind.shape.fields } };
      return [type, { ...kind, parser: objectParser(shape, `${type} ${what}`, kind.silent) }];
    }),
  );

/**
 * An object that is one of several kinds, by its `type`.
 *
 * @param table the kinds; a function where kinds hold each other
 */
export const typed = (table: () => Kinds, options: TypedOptions): Grammar => {
  const { what, hint } = options;
  let ready: Map<string, KnownKind> | undefined;
  const kinds = () => {
    ready ??= known(table(), what);
    return ready;
  };
  const mayPass = (type: string, { parsing }: ParseContext): boolean =>
    !kinds().has(type) && !parsing.isKnownType(type) && mayBeNew(type, [...kinds().keys()]);
  const kindOf = (value: JsonObject, context: ParseContext): KnownKind | undefined => {
    const type = Object.hasOwn(value, 'type') ? value.type : undefined;
    if (type === undefined) {
      const names = [...kinds().keys()].join(', ');
      return report(context, 'required', `${withArticle(what)} needs the key \`type\`.`, {
        hint: `Known: ${names}.`,
      });
    }
    if (typeof type !== 'string') return reportType(contextIn(context, 'type'), 'a text', type);
    const kind = kinds().get(type);
    if (kind === undefined) return reportUnknown(type, [...kinds().keys()], context, options);
    const { surface } = context.parsing;
    if (kind.surfaces === undefined || kind.surfaces.includes(surface)) return kind;
    const message = `${withArticle(`\`${type}\` ${what}`)} cannot stand in a ${surface}.`;
    return report(contextIn(context, 'type'), 'type.surface', message);
  };
  return {
    parse: (value, context) => {
      if (!isObject(value)) return reportType(context, indefinite(`${what} object`), value, hint);
      if (options.open === true && typeof value.type === 'string' && mayPass(value.type, context)) {
        return parseUnknown(value, `the ${what} \`${value.type}\``, context);
      }
      const kind = kindOf(value, context);
      if (kind === undefined) return undefined;
      const { around, parser, note } = kind;
      note?.(value, context);
      return around === undefined ? parser(value, context) : around(value, context, parser);
    },
    describe: () => {
      const all = table();
      return options.table === undefined
        ? {
            kind: 'variants',
            variants: Object.fromEntries(
              Object.entries(all).map(([type, { shape }]) => [type, describeShape(shape)]),
            ),
          }
        : { kind: 'one_of', table: options.table, types: Object.keys(all) };
    },
  };
};

/** Kinds as `block-schema` shows them. */
export const describeKinds = (kinds: Kinds): JsonObject =>
  Object.fromEntries(
    Object.entries(kinds).map(([type, { shape, surfaces = ['message', 'view'], boundForm, boundAlone }]) => [
      type,
      {
        surfaces,
        ...(boundAlone ? boundForm : describeShape(shape)),
        ...(boundForm && !boundAlone && { data_bound: boundForm }),
      },
    ]),
  );
