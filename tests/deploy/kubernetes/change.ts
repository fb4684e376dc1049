import { isObject, type Json, type JsonObject, manifestOf } from './manifest.ts';

/** Where something stands in a resource. */
export type Path = readonly (string | number)[];

/** A copy in which another value stands at a path; undefined takes away what stands there. */
const put = (value: Json | undefined, [step, ...rest]: Path, wanted: Json | undefined): Json => {
  if (typeof step === 'number') {
    const list = Array.isArray(value) ? value : [];
    if (rest.length === 0 && wanted === undefined) return list.filter((_, index) => index !== step);
    return list.map((it, index) =>
      index === step ? (rest.length ? put(it, rest, wanted) : (wanted ?? null)) : it,
    );
  }
  const object = isObject(value) ? value : {};
  if (step === undefined) return wanted ?? null;
  if (rest.length > 0) return { ...object, [step]: put(object[step], rest, wanted) };
  const { [step]: _, ...others } = object;
  return wanted === undefined ? others : { ...others, [step]: wanted };
};

/** What a mistake makes of the resources of a cluster. */
export type Change = (resources: readonly JsonObject[]) => JsonObject[];

/** Changes one resource; the hash in the name of a ConfigMap is left out. */
export const edit =
  (kind: string, name: string, path: Path, wanted: Json | undefined): Change =>
  (resources) => {
    const isIt = (it: JsonObject) => {
      const found = manifestOf(it);
      return found.kind === kind && found.name.replace(/(?<=.)-[a-z0-9]{10}$/, '') === name;
    };
    if (resources.filter(isIt).length !== 1) throw new Error(`there is no single ${kind} ${name}`);
    return resources.map((it) => {
      const changed = isIt(it) ? put(it, path, wanted) : it;
      return isObject(changed) ? changed : it;
    });
  };

/** Takes one resource away. */
export const without =
  (kind: string, name: string): Change =>
  (resources) =>
    resources.filter((it) => manifestOf(it).kind !== kind || manifestOf(it).name !== name);
