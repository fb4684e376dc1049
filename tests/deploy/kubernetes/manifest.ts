import { z } from 'zod';

/** What JSON and YAML can hold. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** A JSON object. */
export type JsonObject = { [key: string]: Json };

/** Whether a value is an object, neither list nor null. */
export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Any JSON value, checked. */
export const jsonSchema: z.ZodType<Json> = z.lazy(() =>
  z.union([
    z.string(),
    z.number(),
    z.boolean(),
    z.null(),
    z.array(jsonSchema),
    z.record(z.string(), jsonSchema),
  ]),
);

const headSchema = z.looseObject({
  kind: z.string(),
  metadata: z.looseObject({
    name: z.string(),
    namespace: z.string().optional(),
    labels: z.record(z.string(), z.string()).optional(),
  }),
});

/** A resource as the cluster gets it. */
export interface Manifest {
  kind: string;
  name: string;
  labels: Readonly<Record<string, string>>;
  body: JsonObject;
}

/** Reads kind, name and labels of a resource. */
export const manifestOf = (body: JsonObject): Manifest => {
  const { kind, metadata } = headSchema.parse(body);
  return { kind, name: metadata.name, labels: metadata.labels ?? {}, body };
};

/** The value at a path, or undefined where there is none. */
export const at = (value: Json | undefined, ...path: (string | number)[]): Json | undefined => {
  let found = value;
  for (const step of path) {
    if (Array.isArray(found) && typeof step === 'number') found = found[step];
    else if (isObject(found) && typeof step === 'string') found = found[step];
    else return undefined;
  }
  return found;
};
