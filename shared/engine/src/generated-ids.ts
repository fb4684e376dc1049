import { isList, isObject, type JsonObject } from './json.ts';

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const generated: Readonly<Record<string, RegExp>> = {
  id: new RegExp(`^blk_${uuid}$`),
  action_id: new RegExp(`^act_${uuid}$`),
};

const generatedId = new RegExp(`^(?:blk|act)_${uuid}(?:_\\d+)*$`);

/** Whether an id of a compiled block was filled in, and not given by an author; loops have added numbers to it. */
export const isGeneratedId = (id: string): boolean => generatedId.test(id);

const isGenerated = (key: string, value: unknown): boolean =>
  Object.hasOwn(generated, key) && typeof value === 'string' && generated[key]?.test(value) === true;

/** The id that an author gave to a block; undefined where it was left out. */
export const givenId = (block: JsonObject): string | undefined => {
  const id = block.id ?? block.block_id;
  return typeof id === 'string' && !isGenerated('id', id) ? id : undefined;
};

/**
 * A value without the ids that were filled in when it was saved. Blocks sent without ids get new ones with each
 * version, which is no change by their author.
 */
export const withoutGeneratedIds = (value: unknown): unknown => {
  if (isList(value)) return value.map(withoutGeneratedIds);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, inner]) => !isGenerated(key, inner))
      .map(([key, inner]): [string, unknown] => [key, withoutGeneratedIds(inner)]),
  );
};
