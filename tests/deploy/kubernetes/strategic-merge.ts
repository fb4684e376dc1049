import { isObject, type Json, type JsonObject } from './manifest.ts';

/** The lists of the Kubernetes API that are merged item by item, with the key that names an item. */
const mergeKeys: Record<string, string> = {
  containers: 'name',
  initContainers: 'name',
  env: 'name',
  volumes: 'name',
  ports: 'containerPort',
  volumeMounts: 'mountPath',
  topologySpreadConstraints: 'topologyKey',
};

const mergeLists = (base: readonly Json[], patch: readonly Json[], key: string): Json[] => {
  const merged = base.map((item) => {
    const change = patch.find((it) => isObject(it) && isObject(item) && it[key] === item[key]);
    return isObject(item) && isObject(change) ? mergeStrategic(item, change) : item;
  });
  const added = patch.filter(
    (it) => isObject(it) && !base.some((item) => isObject(item) && item[key] === it[key]),
  );
  return [...added, ...merged];
};

const mergeValues = (name: string, base: Json | undefined, patch: Json): Json => {
  if (isObject(base) && isObject(patch)) return mergeStrategic(base, patch);
  const key = mergeKeys[name];
  if (Array.isArray(base) && Array.isArray(patch) && key !== undefined) return mergeLists(base, patch, key);
  return isObject(patch) ? mergeStrategic({}, patch) : patch;
};

/** Lays a patch over an object as `kubectl` does: null takes away, named lists are merged, other lists replaced. */
export const mergeStrategic = (base: JsonObject, patch: JsonObject): JsonObject => {
  const merged = { ...base };
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name];
    else merged[name] = mergeValues(name, base[name], value);
  }
  return merged;
};
