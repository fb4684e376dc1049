import { isObject, type Json, type JsonObject, manifestOf } from './manifest.ts';

/** Lists that are merged item by item have no order of their own. */
const sorted = (value: Json): Json => {
  if (Array.isArray(value)) {
    const items = value.map(sorted);
    return items.every(isObject)
      ? items.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
      : items;
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key] ?? null)]),
  );
};

/** Resources by kind and name, to be compared. */
export const byName = (resources: readonly JsonObject[]): Record<string, Json> =>
  Object.fromEntries(
    resources.map((it) => {
      const { kind, name } = manifestOf(it);
      return [`${kind}/${name}`, sorted(it)];
    }),
  );
