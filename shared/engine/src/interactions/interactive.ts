import { loopsBetween } from '../expressions/placeholders/evaluate.ts';
import { type Reader, readerOf } from '../expressions/placeholders/reference.ts';
import { hasPlaceholder } from '../expressions/placeholders/scan.ts';
import { exact } from '../grammar/exact.ts';
import { list } from '../grammar/list.ts';
import { optional, required } from '../grammar/object.ts';
import { choice } from '../grammar/scalar.ts';
import { type Kind, type Kinds, typed } from '../grammar/typed.ts';
import { isList, isObject, type JsonObject } from '../json.ts';
import { limits } from '../limits.ts';
import type { Grammar } from '../parse/grammar.ts';
import { fixed, made, type Node } from '../parse/node.ts';
import {
  contextIn,
  overLimit,
  type ParseContext,
  report,
  type Surface,
  type Tap,
  warnOfTemplate,
} from '../parse/parse-context.ts';
import type { ParsedPath } from '../parse/parsed-path.ts';
import type { Reference } from '../run/frame.ts';
import { noteMissing, type Run, spendEvaluations } from '../run/run.ts';
import { spokenJson } from '../translations/spoken.ts';
import { jsonWithPlaceholders } from './json-with-placeholders.ts';

const surfaces: readonly Surface[] = ['message'];

/**
 * The blocks of an updated message are blocks of a template. Their table contains this one, so an import would be a
 * cycle: the parser comes with the parse.
 */
const templateBlocks: Grammar = {
  parse: (value, context) => context.parsing.parseMessageBlocks(value, context),
  describe: () => ({ kind: 'blocks' }),
};

const idForm = /^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/;

/**
 * The id of a resource of this service. The template names it, or data does by a placeholder, which is read when the
 * element is used; whether there is such a resource is for the service to say.
 */
const idOf = (what: 'modal' | 'destination'): Grammar => {
  const words = `the id of a ${what}, a UUID`;
  const text = exact('interactivity.id');
  return {
    parse: (value, context) => {
      const isWritten = typeof value === 'string' && !hasPlaceholder(value);
      // A message whose button does nothing is still a message; the service lets no new version have such a button.
      if (isWritten && !context.parsing.namesByKey && !idForm.test(value)) {
        const story = `this is not ${words}, so the element does nothing; GET /v1/${what}s lists the ids.`;
        warnOfTemplate(context, 'reference.unknown', story, { reference: what });
      }
      return text.parse(value, context);
    },
    describe: () => ({ kind: 'exact', limit: 'interactivity.id', form: words, pattern: idForm.source }),
  };
};

/** The actions that the use of an element may run. */
export const interactionKinds: Kinds = {
  open_modal: {
    surfaces,
    shape: {
      closed: true,
      fields: { modal_id: required(idOf('modal')), data: optional(jsonWithPlaceholders) },
    },
  },
  call_destination: {
    surfaces,
    shape: {
      closed: true,
      fields: { destination_id: required(idOf('destination')), payload: optional(jsonWithPlaceholders) },
    },
  },
  update_message: {
    surfaces,
    shape: {
      closed: true,
      fields: {
        strategy: required(choice('replace_all', 'replace_self', 'append', 'replace_block')),
        block_id: optional(exact('block.block_id')),
        blocks: required(templateBlocks),
      },
    },
  },
};

const interactions = list('interactivity.actions', {
  item: typed(() => interactionKinds, { what: 'interaction', table: 'interactions' }),
});

/** A value that the actions will read when the element is used. */
interface Needed {
  readonly reference: Reference;
  readonly read: Reader;
  /** The first place that reads it and says nothing of what stands there where it is missing. */
  readonly place: string | undefined;
}

/** An interaction inside of another one, in the blocks of its update, reads what the outer one keeps. */
const noteAround = (
  { parsing: { tap }, scope, names, guards }: ParseContext,
  path: ParsedPath,
  inner: number,
  place: string | undefined,
): void => {
  if (tap === undefined || names !== tap.names) return;
  const isSure = scope === tap.scope && guards === tap.guards;
  tap.note(path, inner + loopsBetween(scope, tap.scope), isSure ? place : undefined);
};

/** Parses an interaction for its problems and for what it reads of the data of the message. */
const parseInteraction = (value: unknown, context: ParseContext): Needed[] | undefined => {
  const depth = context.depth + 1;
  const { max } = limits['engine.depth'];
  if (depth > max) {
    const message = `Directives and interactions nest ${max} levels deep at most.`;
    return report(context, 'limit.max', message, { limit: 'engine.depth', max, actual: depth });
  }
  const needed = new Map<string, Needed>();
  const { scope, names, guards } = context;
  const note: Tap['note'] = (path, inner, place) => {
    const { written, origin, up } = path.reference;
    noteAround(context, path, inner, place);
    const isInner = origin !== 'root' && origin !== 'given' && up < inner;
    const known = needed.get(written);
    if (isInner || (known !== undefined && (known.place !== undefined || place === undefined))) return;
    const reference = { ...path.reference, up: Math.max(0, up - inner) };
    needed.set(written, { reference, read: readerOf(reference), place });
  };
  const ids = { block: [], action: [], looped: [], made: false };
  const parsing = { ...context.parsing, ids, tap: { scope, names, guards, note } };
  const node = interactions.parse(value, { ...context, depth, parsing });
  if (needed.size > limits['interactivity.paths'].max) {
    context.parsing.problems.add(overLimit(context.pointer, 'interactivity.paths', needed.size));
    return undefined;
  }
  return node && [...needed.values()];
};

/** What the actions will find when the element is used: a value that is missing now is missing then. */
const readAll = (run: Run, needed: readonly Needed[]): Record<string, unknown> => {
  const values = needed.map(({ reference, read, place }): [string, unknown] => {
    const value = read(run);
    if (place !== undefined && (value === undefined || value === null)) noteMissing(run, reference, place);
    return [reference.written, value];
  });
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
};

const around: Kind['around'] = (value, context, parser) => {
  if (!Object.hasOwn(value, 'interaction')) return parser(value, context);
  const { interaction, ...rest } = value;
  const at = contextIn(context, 'interaction');
  const actions = spokenJson(interaction, at);
  const element: Node | undefined = parser(rest, context);
  const needed = parseInteraction(actions, at);
  if (context.parsing.surface === 'view') {
    return report(
      at,
      'interaction.place',
      'An interaction belongs to an element of a message, not of a view.',
    );
  }
  const { action_id: templateId } = rest;
  if (templateId === undefined) {
    return report(context, 'required', 'An element with an `interaction` needs an `action_id`.');
  }
  if (element === undefined || needed === undefined || typeof templateId !== 'string' || !isList(actions))
    return undefined;
  return made((run) => {
    const emitted = element.fixed ? element.value : element.make(run);
    if (!isObject(emitted)) return undefined;
    spendEvaluations(run, needed.length);
    // A fixed element is shared by all runs; what its id becomes belongs to this one.
    const own: JsonObject = element.fixed ? { ...emitted } : emitted;
    run.interactions ??= [];
    run.interactions.push({
      element: own,
      templateId,
      actions,
      values: readAll(run, needed),
      pointer: at.pointer,
    });
    return own;
  });
};

const interactionGrammar: Grammar = {
  parse: () => fixed(undefined),
  describe: () => interactions.describe(),
};

/** Kinds of elements that may carry an `interaction`, which is stripped and goes to the message's metadata. */
export const interactive = (kinds: Kinds): Kinds =>
  Object.fromEntries(
    Object.entries(kinds).map(([type, kind]) => [
      type,
      {
        ...kind,
        around,
        shape: { ...kind.shape, fields: { ...kind.shape.fields, interaction: optional(interactionGrammar) } },
      },
    ]),
  );
