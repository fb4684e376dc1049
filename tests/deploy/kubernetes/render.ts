import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { generatedData, generatorSchema, hashSuffix } from './config-maps.ts';
import { isObject, type Json, type JsonObject, jsonSchema, type Manifest, manifestOf } from './manifest.ts';
import { mergeStrategic } from './strategic-merge.ts';

/** The part of kustomize that deploy/kubernetes uses; anything else in a kustomization is refused. */
const kustomizationSchema = z.strictObject({
  apiVersion: z.string(),
  kind: z.enum(['Kustomization', 'Component']),
  namespace: z.string().optional(),
  resources: z.array(z.string()).default([]),
  components: z.array(z.string()).default([]),
  labels: z
    .array(z.strictObject({ includeTemplates: z.literal(true), pairs: z.record(z.string(), z.string()) }))
    .default([]),
  images: z
    .array(z.strictObject({ name: z.string(), newName: z.string().optional(), newTag: z.string() }))
    .default([]),
  replicas: z.array(z.strictObject({ name: z.string(), count: z.number() })).default([]),
  patches: z
    .array(
      z.strictObject({
        path: z.string(),
        target: z
          .strictObject({
            kind: z.string(),
            name: z.string().optional(),
            labelSelector: z.string().optional(),
          })
          .optional(),
      }),
    )
    .default([]),
  configMapGenerator: z.array(generatorSchema).default([]),
});

type Kustomization = z.output<typeof kustomizationSchema>;
type Patch = Kustomization['patches'][number];

/** The YAML documents of a text. */
export const parseYaml = (text: string): JsonObject[] =>
  parseAllDocuments(text)
    .map((document) => jsonSchema.parse(document.toJS()))
    .filter(isObject);

const readYaml = (file: string): JsonObject[] => parseYaml(readFileSync(file, 'utf8'));

const clusterWide = new Set(['Namespace']);

const isTarget = ({ target }: Patch, change: Manifest, { kind, name, labels }: Manifest): boolean => {
  if (target === undefined) return kind === change.kind && name === change.name;
  const [label = '', value] = target.labelSelector?.split('=') ?? [];
  return (
    new RegExp(`^(?:${target.kind})$`).test(kind) &&
    (target.name === undefined || new RegExp(`^(?:${target.name})$`).test(name)) &&
    (target.labelSelector === undefined || labels[label] === value)
  );
};

const applyPatch = (folder: string, patch: Patch, resources: readonly JsonObject[]): JsonObject[] => {
  const [change] = readYaml(join(folder, patch.path));
  if (change === undefined) throw new Error(`${patch.path} is empty`);
  const { metadata: _, $patch, ...rest } = change;
  const meta = isObject(change.metadata) ? { ...change.metadata } : {};
  delete meta.name;
  const hits = resources.filter((it) => isTarget(patch, manifestOf(change), manifestOf(it)));
  if (hits.length === 0) throw new Error(`${patch.path} meets no resource`);
  if ($patch === 'delete') return resources.filter((it) => !hits.includes(it));
  return resources.map((it) => (hits.includes(it) ? mergeStrategic(it, { ...rest, metadata: meta }) : it));
};

const generate = (folder: string, of: Kustomization, resources: readonly JsonObject[]): JsonObject[] => {
  const all = [...resources];
  for (const entry of of.configMapGenerator) {
    const data = generatedData(folder, entry);
    const isIt = (it: JsonObject) => it.kind === 'ConfigMap' && manifestOf(it).name === entry.name;
    const index = all.findIndex(isIt);
    const found = all[index];
    if (entry.behavior === 'create') {
      const metadata = { name: entry.name, ...entry.options };
      all.push({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data });
    } else if (found !== undefined) all[index] = mergeStrategic(found, { data });
    else throw new Error(`there is no ConfigMap ${entry.name} to merge with`);
  }
  return all;
};

const imageOf = (images: Kustomization['images'], image: string): string => {
  const change = images.find((it) => it.name === image);
  return change === undefined ? image : `${change.newName ?? change.name}:${change.newTag}`;
};

/** Changes every value that stands under a key, anywhere. */
const mapKey = (value: Json, key: string, change: (found: Json) => Json): Json => {
  if (Array.isArray(value)) return value.map((it) => mapKey(it, key, change));
  if (!isObject(value)) return value;
  const mapped = Object.entries(value).map(([name, it]): [string, Json] => [
    name,
    name === key ? change(it) : mapKey(it, key, change),
  ]);
  return Object.fromEntries(mapped);
};

const object = (value: Json): JsonObject => (isObject(value) ? value : {});

const labelled = (resource: JsonObject, labels: JsonObject): JsonObject => {
  const changes: JsonObject = { metadata: { labels } };
  const { template, volumeClaimTemplates } = object(resource.spec ?? null);
  if (isObject(template)) changes.spec = { template: { metadata: { labels } } };
  const changed = mergeStrategic(resource, changes);
  if (!Array.isArray(volumeClaimTemplates)) return changed;
  const claims = volumeClaimTemplates.map((it) => mergeStrategic(object(it), { metadata: { labels } }));
  return mergeStrategic(changed, { spec: { volumeClaimTemplates: claims } });
};

const transform = (of: Kustomization, resource: JsonObject): JsonObject => {
  const { kind, name } = manifestOf(resource);
  let changed = resource;
  if (of.namespace !== undefined && !clusterWide.has(kind)) {
    changed = mergeStrategic(changed, { metadata: { namespace: of.namespace } });
  }
  for (const { pairs } of of.labels) changed = labelled(changed, pairs);
  const count = of.replicas.find((it) => it.name === name)?.count;
  if (count !== undefined && ['Deployment', 'StatefulSet'].includes(kind)) {
    changed = mergeStrategic(changed, { spec: { replicas: count } });
  }
  return object(mapKey(changed, 'image', (it) => (typeof it === 'string' ? imageOf(of.images, it) : it)));
};

const accumulate = (folder: string, before: readonly JsonObject[]): JsonObject[] => {
  const [file] = readYaml(join(folder, 'kustomization.yaml'));
  const of = kustomizationSchema.parse(file);
  const own = of.resources.flatMap((it) =>
    it.endsWith('.yaml') ? readYaml(join(folder, it)) : accumulate(join(folder, it), []),
  );
  let resources = [...before, ...own];
  for (const component of of.components) resources = accumulate(join(folder, component), resources);
  resources = generate(folder, of, resources);
  for (const patch of of.patches) resources = applyPatch(folder, patch, resources);
  return resources.map((it) => transform(of, it));
};

const renameReferences = (resource: JsonObject, names: ReadonlyMap<string, string>): JsonObject => {
  const rename = (reference: Json): Json => {
    const { name } = object(reference);
    const renamed = typeof name === 'string' ? names.get(name) : undefined;
    return renamed === undefined ? reference : { ...object(reference), name: renamed };
  };
  let changed: Json = resource;
  for (const key of ['configMapRef', 'configMapKeyRef', 'configMap']) changed = mapKey(changed, key, rename);
  return object(changed);
};

/** Renders a kustomization as `kubectl kustomize` does. */
export const render = (folder: string): JsonObject[] => {
  const resources = accumulate(folder, []);
  const names = new Map<string, string>();
  const named = resources.map((it) => {
    if (it.kind !== 'ConfigMap') return it;
    const { name } = manifestOf(it);
    names.set(name, `${name}-${hashSuffix(object(it.data ?? null))}`);
    return mergeStrategic(it, { metadata: { name: names.get(name) ?? name } });
  });
  return named.map((it) => renameReferences(it, names));
};
