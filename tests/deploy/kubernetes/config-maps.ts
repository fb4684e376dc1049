import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { isObject, type Json, type JsonObject } from './manifest.ts';

/** An entry of `configMapGenerator`. */
export const generatorSchema = z.strictObject({
  name: z.string(),
  behavior: z.enum(['create', 'merge']).default('create'),
  envs: z.array(z.string()).default([]),
  files: z.array(z.string()).default([]),
  literals: z.array(z.string()).default([]),
  options: z.strictObject({ labels: z.record(z.string(), z.string()) }).optional(),
});

const pair = (line: string): [string, string] => {
  const end = line.indexOf('=');
  return [line.slice(0, end), line.slice(end + 1)];
};

const pairsOf = (text: string): [string, string][] =>
  text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(pair);

/** The data that an entry names. */
export const generatedData = (
  folder: string,
  { envs, files, literals }: z.output<typeof generatorSchema>,
): Record<string, string> =>
  Object.fromEntries([
    ...envs.flatMap((file) => pairsOf(readFileSync(join(folder, file), 'utf8'))),
    ...files.map((file) => [basename(file), readFileSync(join(folder, file), 'utf8')] as const),
    ...literals.map(pair),
  ]);

/** Go's JSON: keys in order, and `<`, `>`, `&` as escapes. */
const goJson = (value: Json): string => {
  const text = isObject(value)
    ? `{${Object.keys(value)
        .sort()
        .map((key) => `${JSON.stringify(key)}:${goJson(value[key] ?? null)}`)
        .join(',')}}`
    : JSON.stringify(value);
  return text.replace(/[<>&]/g, (it) => `\\u00${it.charCodeAt(0).toString(16)}`);
};

const letters: Record<string, string> = { 0: 'g', 1: 'h', 3: 'k', a: 'm', e: 't' };

/** The suffix that kustomize gives a ConfigMap, from what is in it; it means to add the name, and finds none. */
export const hashSuffix = (data: JsonObject): string =>
  createHash('sha256')
    .update(goJson({ data, kind: 'ConfigMap', name: '' }))
    .digest('hex')
    .slice(0, 10)
    .replace(/[013ae]/g, (it) => letters[it] ?? it);
