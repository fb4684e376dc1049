import { z } from 'zod';
import { type Cluster, called, selects, type Workload } from '../cluster.ts';
import type { Manifest } from '../manifest.ts';

const labels = z.record(z.string(), z.string());

const serviceSchema = z.looseObject({
  spec: z.looseObject({
    selector: labels,
    ports: z.array(z.looseObject({ name: z.string(), port: z.number(), targetPort: z.string() })),
  }),
});

const selectorSchema = z.looseObject({
  spec: z.looseObject({
    podSelector: z.looseObject({ matchLabels: labels.default({}) }).optional(),
    selector: z.looseObject({ matchLabels: labels }).optional(),
  }),
});

const ingressSchema = z.looseObject({
  spec: z.looseObject({
    rules: z.array(
      z.looseObject({
        http: z.looseObject({
          paths: z.array(
            z.looseObject({
              backend: z.looseObject({
                service: z.looseObject({ name: z.string(), port: z.looseObject({ name: z.string() }) }),
              }),
            }),
          ),
        }),
      }),
    ),
  }),
});

const monitorSchema = z.looseObject({
  spec: z.looseObject({
    selector: z.looseObject({ matchLabels: labels }),
    endpoints: z.array(
      z.looseObject({ port: z.string(), path: z.string(), honorLabels: z.boolean().default(false) }),
    ),
  }),
});

const portNames = ({ pod }: Workload): string[] =>
  pod.containers.flatMap((it) => it.ports).map((it) => it.name);

const servicePorts = (manifest: Manifest) => serviceSchema.parse(manifest.body).spec.ports;

const serviceRules = (cluster: Cluster, manifest: Manifest): string[] => {
  const { selector, ports } = serviceSchema.parse(manifest.body).spec;
  const met = cluster.workloads.filter((it) => selects(selector, it.podLabels));
  if (met.length !== 1) return [`${called(manifest)} meets ${met.length} workloads`];
  return met.flatMap((workload) =>
    ports
      .filter((it) => !portNames(workload).includes(it.targetPort))
      .map((it) => `${called(manifest)}: ${called(workload)} has no port ${it.targetPort}`),
  );
};

const selectorRules = (cluster: Cluster, manifest: Manifest): string[] => {
  const { podSelector, selector } = selectorSchema.parse(manifest.body).spec;
  const wanted = podSelector?.matchLabels ?? selector?.matchLabels ?? {};
  const isMet = cluster.workloads.some((it) => selects(wanted, it.podLabels));
  return isMet ? [] : [`${called(manifest)} meets no pods`];
};

const ingressRules = (cluster: Cluster, manifest: Manifest): string[] =>
  ingressSchema
    .parse(manifest.body)
    .spec.rules.flatMap((rule) => rule.http.paths)
    .map(({ backend }) => backend.service)
    .filter(({ name, port }) => {
      const service = cluster.of('Service').find((it) => it.name === name);
      return service === undefined || !servicePorts(service).some((it) => it.name === port.name);
    })
    .map(({ name, port }) => `${called(manifest)}: there is no Service ${name} with a port ${port.name}`);

const monitorRules = (cluster: Cluster, manifest: Manifest): string[] => {
  const { selector, endpoints } = monitorSchema.parse(manifest.body).spec;
  const met = cluster.of('Service').filter((it) => selects(selector.matchLabels, it.labels));
  const names = met.map((it) => it.name);
  const missed = cluster.services.filter((it) => !names.includes(it.name)).map(called);
  const portless = met.filter((it) =>
    endpoints.some(({ port }) => !servicePorts(it).some(({ name }) => name === port)),
  );
  return [
    ...missed.map((it) => `${called(manifest)} does not scrape ${it}`),
    ...portless.map((it) => `${called(manifest)}: ${called(it)} has no such port`),
    ...endpoints
      .filter((it) => !it.honorLabels)
      .map(() => `${called(manifest)} takes the labels job and service from series`),
    ...endpoints.filter((it) => it.path !== '/metrics').map((it) => `nothing is served at ${it.path}`),
  ];
};

const workloadRules = (cluster: Cluster, workload: Workload): string[] => {
  const { pod, selector, podLabels, kind } = workload;
  const account = pod.serviceAccountName;
  const maps = pod.volumes.flatMap((it) => (it.configMap ? [it.configMap.name] : []));
  return [
    ...(kind === 'Job' || (Object.keys(selector).length > 0 && selects(selector, podLabels))
      ? []
      : ['its selector does not meet its own pods']),
    ...(account !== undefined && cluster.has('ServiceAccount', account)
      ? []
      : [`there is no ServiceAccount ${String(account)}`]),
    ...maps.filter((it) => !cluster.has('ConfigMap', it)).map((it) => `there is no ConfigMap ${it}`),
  ].map((problem) => `${called(workload)}: ${problem}`);
};

const doubles = (cluster: Cluster): string[] => {
  const names = cluster.manifests.map(called);
  return names.filter((it, index) => names.indexOf(it) < index).map((it) => `${it} is there twice`);
};

/** What names something else names something that is there. */
export const referenceRules = (cluster: Cluster): string[] => [
  ...doubles(cluster),
  ...cluster.of('Service').flatMap((it) => serviceRules(cluster, it)),
  ...[...cluster.of('NetworkPolicy'), ...cluster.of('PodDisruptionBudget')].flatMap((it) =>
    selectorRules(cluster, it),
  ),
  ...cluster.of('Ingress').flatMap((it) => ingressRules(cluster, it)),
  ...cluster.of('ServiceMonitor').flatMap((it) => monitorRules(cluster, it)),
  ...cluster.workloads.flatMap((it) => workloadRules(cluster, it)),
];
