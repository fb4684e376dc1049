import { blockKinds, messageBlocks, viewBlocks } from '../../blocks/blocks.ts';
import { catalogue } from '../../blocks/catalogue.ts';
import { describeShape } from '../../grammar/object.ts';
import { boundListForm } from '../../grammar/source.ts';
import type { Kind } from '../../grammar/typed.ts';
import type { JsonObject } from '../../json.ts';
import { limitOf } from '../../limits.ts';
import type { Grammar } from '../../parse/grammar.ts';
import type { Surface } from '../../parse/parse-context.ts';
import { conditionSchema, directiveSchema } from './directive-schema.ts';
import {
  type ListDescription,
  type ListReference,
  objectSchema,
  placeholder,
  valueSchema,
} from './value-schema.ts';

const isDirective: JsonObject = {
  contains: { type: 'object', properties: { type: { const: 'directive' } }, required: ['type'] },
};

type Definitions = Record<string, JsonObject>;

/** A list whose entries may be directives; only one without any is held to its limit before there is data. */
const listSchema = (list: ListDescription, name: string, definitions: Definitions, lists: ListReference) => {
  const { min = 0, max } = limitOf(list.limit);
  const entry = { anyOf: [valueSchema(list.of, lists), { $ref: `#/$defs/${name}.directive` }] };
  definitions[`${name}.directive`] = directiveSchema({ $ref: `#/$defs/${name}.entry` });
  definitions[`${name}.entry`] = entry;
  const written = {
    type: 'array',
    items: { $ref: `#/$defs/${name}.entry` },
    if: isDirective,
    else: { minItems: min, maxItems: max },
  };
  const source = { describe: () => list.of };
  const bound = list.bound && objectSchema(boundListForm(source), lists);
  if (bound) return { anyOf: [written, bound] };
  return list.whole ? { anyOf: [written, placeholder] } : written;
};

/** Makes each list’s schema once; lists of one limit may differ in what they hold. */
const listReferences = (definitions: Definitions): ListReference => {
  const names = new Map<string, string>();
  const reference: ListReference = (list) => {
    const key = JSON.stringify(list);
    const known = names.get(key);
    if (known !== undefined) return { $ref: `#/$defs/${known}` };
    const alike = [...names.values()].filter((name) => name.startsWith(`list.${list.limit}`)).length;
    const name = `list.${list.limit}${alike === 0 ? '' : `.${alike + 1}`}`;
    names.set(key, name);
    definitions[name] = listSchema(list, name, definitions, reference);
    return { $ref: `#/$defs/${name}` };
  };
  return reference;
};

const kindSchema = (
  { shape, boundForm, boundAlone }: Kind,
  type: string,
  lists: ListReference,
): JsonObject => {
  const bound = boundForm && objectSchema(boundForm, lists, type);
  if (bound !== undefined && boundAlone) return bound;
  const native = objectSchema(describeShape(shape), lists, type);
  return bound === undefined ? native : { anyOf: [native, bound] };
};

/** The blocks of a surface: only those of the table that may stand there. */
const blocksOf = (blocks: Grammar, surface: Surface, lists: ListReference): JsonObject => {
  const list = blocks.describe();
  if (list.kind !== 'list') throw new Error('blocks are a list');
  const types = Object.entries(blockKinds)
    .filter(([, { surfaces }]) => surfaces === undefined || surfaces.includes(surface))
    .map(([type]) => type);
  return lists({ ...list, of: { kind: 'one_of', table: 'blocks', types } });
};

/**
 * The shape of a template’s blocks as JSON Schema 2020-12, made from the tables that the engine parses by. What it
 * accepts may still be refused: a placeholder can be wrong, and only data shows how many entries a loop makes. A key or an
 * inline element that is newer than the tables is not in it, though the engine passes it with a warning.
 */
export const blocksJsonSchema = (): JsonObject & { readonly $schema: string } => {
  const definitions: Definitions = {
    placeholder: { type: 'string', pattern: '^\\{\\{[^]*\\}\\}$' },
    condition: conditionSchema,
  };
  const lists = listReferences(definitions);
  for (const [table, kinds] of Object.entries(catalogue)) {
    for (const [type, kind] of Object.entries(kinds)) {
      definitions[`${table}.${type}`] = kindSchema(kind, type, lists);
    }
  }
  definitions.message_blocks = blocksOf(messageBlocks, 'message', lists);
  definitions.view_blocks = blocksOf(viewBlocks, 'view', lists);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Blocks of a message template; those of a modal view are under $defs/view_blocks',
    $ref: '#/$defs/message_blocks',
    $defs: definitions,
  };
};
