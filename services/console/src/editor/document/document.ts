import type { Template } from '@stanza/contracts';
import { isList, isObject, type JsonObject } from '../../json.ts';

/** What the editor edits: the blocks and what the template says of itself, as one JSON value. Other keys survive. */
export type TemplateDocument = JsonObject & { readonly blocks: readonly unknown[] };

/** What a template says of itself, as far as the document holds it. */
export const metadataKeys = [
  'name',
  'description',
  'user_name',
  'icon_emoji',
  'fallback_text',
  'locale',
  'timezone',
  'strict',
] as const;

/** See {@link metadataKeys}. */
export type MetadataKey = (typeof metadataKeys)[number];

/** Whether a JSON value can be edited as a template. */
export const isDocument = (value: unknown): value is TemplateDocument =>
  isObject(value) && isList(value.blocks);

/** The document of a template and the blocks of one of its versions. Metadata without a value is left out. */
export const documentOf = (template: Template, blocks: readonly unknown[]): TemplateDocument => ({
  ...Object.fromEntries(
    metadataKeys.flatMap((key) => {
      const value = template[key];
      return value === null || value === false ? [] : [[key, value]];
    }),
  ),
  blocks,
});

/** The metadata that differs from the template's; what was taken away is null. */
export const changedMetadata = (document: TemplateDocument, template: Template): Record<string, unknown> =>
  Object.fromEntries(
    metadataKeys.flatMap((key) => {
      const fallback = key === 'strict' ? false : null;
      const value = document[key] ?? fallback;
      return value === (template[key] ?? fallback) ? [] : [[key, value]];
    }),
  );

/** A text of the document's metadata. */
export const textOf = (document: TemplateDocument, key: MetadataKey): string => {
  const value = document[key];
  return typeof value === 'string' ? value : '';
};

/** The document as people read it. */
export const printed = (document: TemplateDocument): string => JSON.stringify(document, null, 2);

const keysOf = (value: JsonObject): string[] => Object.keys(value).filter((key) => value[key] !== undefined);

/** Whether two JSON values are the same. The order of keys does not count: the server has one of its own. */
export const isSame = (one: unknown, other: unknown): boolean => {
  if (isList(one)) {
    return isList(other) && one.length === other.length && one.every((it, at) => isSame(it, other[at]));
  }
  if (!isObject(one) || !isObject(other)) return one === other;
  const keys = keysOf(one);
  return keys.length === keysOf(other).length && keys.every((key) => isSame(one[key], other[key]));
};

/**
 * A document with what another person has saved since: the blocks and each setting that its author has not changed. The
 * same object where there is nothing to follow.
 * @param before what was saved until then
 */
export const following = (
  document: TemplateDocument,
  before: TemplateDocument,
  saved: TemplateDocument,
): TemplateDocument => {
  const parts = [...metadataKeys, 'blocks'].filter(
    (key) => isSame(document[key], before[key]) && !isSame(before[key], saved[key]),
  );
  if (parts.length === 0) return document;
  const settings = Object.entries({ ...document, ...saved }).flatMap(([key]) => {
    const { [key]: value } = parts.includes(key) ? saved : document;
    return key === 'blocks' || value === undefined ? [] : [[key, value]];
  });
  const { blocks } = parts.includes('blocks') ? saved : document;
  return { ...Object.fromEntries(settings), blocks };
};
