import { z } from 'zod';
import { type JsonObject, type Manifest, manifestOf } from './manifest.ts';

const labels = z.record(z.string(), z.string());

const probeSchema = z.looseObject({
  httpGet: z.looseObject({ path: z.string(), port: z.union([z.string(), z.number()]) }),
});

const containerSchema = z.looseObject({
  name: z.string(),
  image: z.string(),
  command: z.array(z.string()).default([]),
  args: z.array(z.string()).default([]),
  env: z
    .array(
      z.looseObject({
        name: z.string(),
        value: z.string().optional(),
        valueFrom: z
          .looseObject({
            fieldRef: z.looseObject({ fieldPath: z.string() }).optional(),
            secretKeyRef: z.looseObject({ name: z.string(), key: z.string() }).optional(),
            configMapKeyRef: z.looseObject({ name: z.string(), key: z.string() }).optional(),
          })
          .optional(),
      }),
    )
    .default([]),
  envFrom: z
    .array(
      z.looseObject({
        prefix: z.string().default(''),
        configMapRef: z.looseObject({ name: z.string() }).optional(),
        secretRef: z.looseObject({ name: z.string() }).optional(),
      }),
    )
    .default([]),
  ports: z.array(z.looseObject({ name: z.string(), containerPort: z.number() })).default([]),
  startupProbe: probeSchema.optional(),
  readinessProbe: probeSchema.optional(),
  livenessProbe: probeSchema.optional(),
  lifecycle: z
    .looseObject({ preStop: z.looseObject({ exec: z.looseObject({ command: z.array(z.string()) }) }) })
    .optional(),
  resources: z
    .looseObject({
      requests: z.record(z.string(), z.string()).default({}),
      limits: z.record(z.string(), z.string()).default({}),
    })
    .prefault({}),
  securityContext: z.looseObject({}).default({}),
});

const podSchema = z.looseObject({
  serviceAccountName: z.string().optional(),
  automountServiceAccountToken: z.boolean().optional(),
  terminationGracePeriodSeconds: z.number().default(30),
  securityContext: z.looseObject({}).default({}),
  topologySpreadConstraints: z.array(z.looseObject({ topologyKey: z.string() })).default([]),
  initContainers: z.array(containerSchema).default([]),
  containers: z.array(containerSchema),
  volumes: z
    .array(z.looseObject({ name: z.string(), configMap: z.looseObject({ name: z.string() }).optional() }))
    .default([]),
});

const workloadSchema = z.looseObject({
  spec: z.looseObject({
    replicas: z.number().optional(),
    selector: z.looseObject({ matchLabels: labels }).optional(),
    template: z.looseObject({ metadata: z.looseObject({ labels }), spec: podSchema }),
  }),
});

/** A container of a pod. */
export type Container = z.output<typeof containerSchema>;

/** Something that runs pods. */
export interface Workload {
  kind: string;
  name: string;
  replicas: number | undefined;
  selector: Readonly<Record<string, string>>;
  podLabels: Readonly<Record<string, string>>;
  pod: z.output<typeof podSchema>;
}

const dataSchema = z.looseObject({
  data: z.record(z.string(), z.string()).optional(),
  stringData: z.record(z.string(), z.string()).optional(),
});

/** All resources of a cluster, as the rules look at them. */
export interface Cluster {
  manifests: readonly Manifest[];
  workloads: readonly Workload[];
  /** Those with the container `service`. */
  services: readonly Workload[];
  of(kind: string): readonly Manifest[];
  has(kind: string, name: string): boolean;
  /** What is in a ConfigMap or a Secret, or undefined where there is none of that name. */
  data(kind: 'ConfigMap' | 'Secret', name: string): Readonly<Record<string, string>> | undefined;
}

const workloadKinds = ['Deployment', 'StatefulSet', 'Job'];

const workloadOf = ({ kind, name, body }: Manifest): Workload => {
  const { spec } = workloadSchema.parse(body);
  return {
    kind,
    name,
    replicas: spec.replicas,
    selector: spec.selector?.matchLabels ?? {},
    podLabels: spec.template.metadata.labels,
    pod: spec.template.spec,
  };
};

/** Reads rendered resources. */
export const readCluster = (resources: readonly JsonObject[]): Cluster => {
  const manifests = resources.map(manifestOf);
  const workloads = manifests.filter((it) => workloadKinds.includes(it.kind)).map(workloadOf);
  const find = (kind: string, name: string) => manifests.find((it) => it.kind === kind && it.name === name);
  return {
    manifests,
    workloads,
    services: workloads.filter((it) => it.pod.containers.some(({ name }) => name === 'service')),
    of: (kind) => manifests.filter((it) => it.kind === kind),
    has: (kind, name) => find(kind, name) !== undefined,
    data: (kind, name) => {
      const found = find(kind, name);
      if (found === undefined) return undefined;
      const { data, stringData } = dataSchema.parse(found.body);
      return { ...data, ...stringData };
    },
  };
};

/** Whether labels have all of a selector's. */
export const selects = (
  selector: Readonly<Record<string, string>>,
  found: Readonly<Record<string, string>>,
): boolean => Object.entries(selector).every(([name, value]) => found[name] === value);

/** All containers of a workload, those of the start first. */
export const containersOf = ({ pod }: Workload): readonly Container[] => [
  ...pod.initContainers,
  ...pod.containers,
];

/** A name for people. */
export const called = ({ kind, name }: { kind: string; name: string }): string => `${kind} ${name}`;
