import type { Cluster, Container } from './cluster.ts';

/** The variables of a container, and what they refer to that is not there. */
export interface Environment {
  values: Record<string, string>;
  missing: string[];
}

/** `$(NAME)` in a value stands for a variable that was said before. */
const expand = (text: string, values: Record<string, string>): string =>
  text.replaceAll(/\$\(([A-Z0-9_]+)\)/g, (whole, name: string) => values[name] ?? whole);

/** Puts together what a container finds in its environment, in the order in which the cluster does. */
export const environmentOf = (cluster: Cluster, container: Container): Environment => {
  const values: Record<string, string> = {};
  const missing: string[] = [];
  const take = (kind: 'ConfigMap' | 'Secret', name: string): Readonly<Record<string, string>> => {
    const data = cluster.data(kind, name);
    if (data === undefined) missing.push(`${kind} ${name}`);
    return data ?? {};
  };
  const prefixed = (data: Readonly<Record<string, string>>, prefix: string) =>
    Object.entries(data).map(([name, value]) => [prefix + name, value]);
  for (const { prefix, configMapRef, secretRef } of container.envFrom) {
    if (configMapRef)
      Object.assign(values, Object.fromEntries(prefixed(take('ConfigMap', configMapRef.name), prefix)));
    if (secretRef)
      Object.assign(values, Object.fromEntries(prefixed(take('Secret', secretRef.name), prefix)));
  }
  for (const { name, value, valueFrom } of container.env) {
    if (value !== undefined) values[name] = expand(value, values);
    // What the cluster knows of a pod is there when the pod is.
    else if (valueFrom?.fieldRef) values[name] = valueFrom.fieldRef.fieldPath;
    for (const [kind, ref] of [
      ['Secret', valueFrom?.secretKeyRef],
      ['ConfigMap', valueFrom?.configMapKeyRef],
    ] as const) {
      if (ref === undefined) continue;
      const found = take(kind, ref.name)[ref.key];
      if (found === undefined) missing.push(`${kind} ${ref.name}, key ${ref.key}`);
      values[name] = found ?? '';
    }
  }
  return { values, missing };
};
