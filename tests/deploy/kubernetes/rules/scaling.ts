import { jobOperations, metricCatalogue } from '@stanza/contracts';
import { z } from 'zod';
import { type Cluster, called } from '../cluster.ts';
import type { Manifest } from '../manifest.ts';

const autoscalerSchema = z.looseObject({
  spec: z.looseObject({
    scaleTargetRef: z.looseObject({ kind: z.string(), name: z.string() }),
    minReplicas: z.number(),
    maxReplicas: z.number(),
  }),
});

const scaledSchema = z.looseObject({
  spec: z.looseObject({
    scaleTargetRef: z.looseObject({ kind: z.string().default('Deployment'), name: z.string() }),
    minReplicaCount: z.number(),
    maxReplicaCount: z.number(),
    triggers: z.array(
      z.looseObject({ type: z.string(), metadata: z.record(z.string(), z.string()).default({}) }),
    ),
  }),
});

const budgetSchema = z.looseObject({
  spec: z.looseObject({
    maxUnavailable: z.number(),
    selector: z.looseObject({ matchLabels: z.record(z.string(), z.string()) }),
  }),
});

/** How many pods of what may run. */
export interface Scaling {
  manifest: Manifest;
  target: { kind: string; name: string };
  least: number;
  most: number;
}

const scalingOf = (manifest: Manifest): Scaling => {
  if (manifest.kind === 'ScaledObject') {
    const { scaleTargetRef, minReplicaCount, maxReplicaCount } = scaledSchema.parse(manifest.body).spec;
    return { manifest, target: scaleTargetRef, least: minReplicaCount, most: maxReplicaCount };
  }
  const { scaleTargetRef, minReplicas, maxReplicas } = autoscalerSchema.parse(manifest.body).spec;
  return { manifest, target: scaleTargetRef, least: minReplicas, most: maxReplicas };
};

/** Everything that decides how many pods run. */
export const scalings = (cluster: Cluster): Scaling[] =>
  [...cluster.of('HorizontalPodAutoscaler'), ...cluster.of('ScaledObject')].map(scalingOf);

/** The metric, the namespace and the job of a query: other releases may be in the same Prometheus. */
const queried = /\b(stanza_\w+)\{namespace="([a-z-]+)",job="([a-z-]+)"\}/;

const triggerRules = (manifest: Manifest, home: string | undefined): string[] => {
  const { triggers, scaleTargetRef } = scaledSchema.parse(manifest.body).spec;
  return triggers
    .filter((it) => it.type === 'prometheus')
    .flatMap(({ metadata: { query = '' } }) => {
      const [, metric, namespace, job] = queried.exec(query) ?? [];
      const found = jobOperations.find((it) => it.id === job);
      return [
        ...(metric === metricCatalogue.database.jobsDue.name ? [] : [`there is no metric ${metric}`]),
        ...(namespace === home ? [] : [`it asks for the namespace ${namespace}`]),
        ...(found ? [] : [`there is no job ${job}`]),
        ...(found && found.service !== scaleTargetRef.name ? [`the job ${job} is not its own`] : []),
      ].map((problem) => `${called(manifest)}: ${problem}`);
    });
};

const targetRules = (cluster: Cluster, all: readonly Scaling[]): string[] =>
  all.flatMap(({ manifest, target, least, most }, index) => {
    const found = cluster.workloads.find((it) => it.kind === target.kind && it.name === target.name);
    return [
      ...(found ? [] : [`there is no ${called(target)}`]),
      ...(found?.replicas === undefined ? [] : [`${called(target)} has a number of its own`]),
      ...(all.findIndex((it) => it.target.name === target.name) < index
        ? [`something else scales ${called(target)} too`]
        : []),
      ...(least >= 2 && most > least ? [] : [`it goes from ${least} to ${most}`]),
    ].map((problem) => `${called(manifest)}: ${problem}`);
  });

const budgetRules = (cluster: Cluster, all: readonly Scaling[]): string[] =>
  cluster.of('PodDisruptionBudget').flatMap((manifest) => {
    const { maxUnavailable, selector } = budgetSchema.parse(manifest.body).spec;
    const name = selector.matchLabels['app.kubernetes.io/name'];
    const workload = cluster.workloads.find((it) => it.name === name);
    const least = all.find((it) => it.target.name === name)?.least ?? workload?.replicas ?? 0;
    return [
      ...(workload === undefined ? [`${called(manifest)}: there is no ${String(name)}`] : []),
      ...(maxUnavailable >= 1 ? [] : [`${called(manifest)} lets no node be emptied`]),
      ...(maxUnavailable < least ? [] : [`${called(manifest)} lets all ${least} pods go at once`]),
    ];
  });

/** What scales something scales what is there, alone, and by jobs that there are; what is scaled is never gone at once. */
export const scalingRules = (cluster: Cluster): string[] => {
  const all = scalings(cluster);
  const budgets = cluster.of('PodDisruptionBudget').map((it) => it.name);
  const home = cluster.of('Namespace')[0]?.name;
  return [
    ...targetRules(cluster, all),
    ...cluster.of('ScaledObject').flatMap((it) => triggerRules(it, home)),
    ...budgetRules(cluster, all),
    ...all
      .filter((it) => !budgets.includes(it.target.name))
      .map((it) => `${called(it.target)} has no PodDisruptionBudget`),
  ];
};
