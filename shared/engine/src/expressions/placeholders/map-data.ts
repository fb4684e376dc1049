import { valueAt } from './value-at.ts';

/** Name of a placeholder -> path in the data that it reads. */
export type PlaceholderMapping = Readonly<Record<string, string>>;

/**
 * The data with the mapped values under their names. Where a path has no value, the data keeps its own value under the
 * name.
 */
export const mapData = (
  data: Readonly<Record<string, unknown>>,
  mapping: PlaceholderMapping | null,
): Readonly<Record<string, unknown>> => {
  if (mapping === null) return data;
  const mapped = Object.entries(mapping)
    .map(([name, path]): [string, unknown] => [name, valueAt(data, path)])
    .filter(([, value]) => value !== undefined);
  return { ...data, ...Object.fromEntries(mapped) };
};
