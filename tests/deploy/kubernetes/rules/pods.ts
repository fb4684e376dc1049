import { serviceNames } from '@stanza/contracts';
import { shutdownLimitMs } from '@stanza/runtime';
import { z } from 'zod';
import { type Cluster, type Container, called, containersOf, type Workload } from '../cluster.ts';
import { environmentOf } from '../environment.ts';
import { at, jsonSchema } from '../manifest.ts';
import { runServices, servicesOf, settingsOf } from './settings.ts';

/** What a process of a service answers; see tests for that it really does. */
export const probePaths = ['/livez', '/readyz'];

const restricted: readonly [path: string[], wanted: unknown][] = [
  [['allowPrivilegeEscalation'], false],
  [['readOnlyRootFilesystem'], true],
  [['capabilities', 'drop', '0'], 'ALL'],
];

const lookUp = (value: unknown, path: string[]): unknown =>
  at(jsonSchema.parse(value), ...path.map((step) => (/^\d+$/.test(step) ? Number(step) : step)));

const safetyRules = (container: Container): string[] => [
  ...restricted
    .filter(([path, wanted]) => lookUp(container.securityContext, path) !== wanted)
    .map(([path]) => `its securityContext does not say ${path.join('.')}`),
  ...(['cpu', 'memory'] as const)
    .filter((it) => container.resources.requests[it] === undefined)
    .map((it) => `it requests no ${it}`),
  ...(container.resources.limits.memory === undefined ? ['its memory has no limit'] : []),
];

const mebibytes = (text: string): number => Number.parseInt(text, 10) * (text.endsWith('Gi') ? 1024 : 1);

/** What the heap leaves of the memory is for code, buffers and threads. */
const heapShare = 0.75;

const heapRules = (cluster: Cluster, container: Container): string[] => {
  const { NODE_OPTIONS = '' } = environmentOf(cluster, container).values;
  const heap = Number(/--max-old-space-size=(\d+)/.exec(NODE_OPTIONS)?.[1]);
  const limit = mebibytes(container.resources.limits.memory ?? '0');
  return heap <= limit * heapShare ? [] : [`its heap of ${heap} MiB does not fit into ${limit} MiB`];
};

const listeningSchema = z.object({ STANZA_METRICS_PORT: z.number(), STANZA_PORT: z.number().optional() });

/** The ports on which the services of a container listen, by their names here. */
const listening = (cluster: Cluster, container: Container): Record<string, number> => {
  const ports = runServices(container, environmentOf(cluster, container).values).map(
    ({ service, values }) => {
      const parsed = settingsOf[service].safeParse(values);
      if (!parsed.success) return {};
      const { STANZA_METRICS_PORT: metrics, STANZA_PORT: http } = listeningSchema.parse(parsed.data);
      return http === undefined ? { metrics } : { metrics, http };
    },
  );
  return Object.assign({}, ...ports);
};

const probeRules = (container: Container): string[] =>
  (['startupProbe', 'readinessProbe', 'livenessProbe'] as const).flatMap((kind) => {
    const probe = container[kind]?.httpGet;
    if (probe === undefined) return [`it has no ${kind}`];
    return [
      ...(probePaths.includes(probe.path) ? [] : [`nothing answers its ${kind} at ${probe.path}`]),
      ...(probe.port === 'metrics' ? [] : [`its ${kind} asks at the port ${probe.port}`]),
    ];
  });

const drainRules = (cluster: Cluster, { pod }: Workload, container: Container): string[] => {
  const { values } = environmentOf(cluster, container);
  const leaveSeconds = Number(values.STANZA_DRAIN_SECONDS ?? values.GATEWAY_STANZA_DRAIN_SECONDS ?? 1);
  // Of several services the gateway drains before the others.
  const drains = Math.min(2, servicesOf(container).length);
  const [program, seconds] = container.lifecycle?.preStop.exec.command ?? [];
  if (program !== 'sleep') return ['nothing gives the load balancers time before it ends'];
  const least = Number(seconds) + leaveSeconds + drains * (shutdownLimitMs / 1_000) + 5;
  const grace = pod.terminationGracePeriodSeconds;
  return grace >= least ? [] : [`it is killed after ${grace} s, and may need ${least} s to end`];
};

const spreadRules = ({ pod }: Workload): string[] =>
  ['topology.kubernetes.io/zone', 'kubernetes.io/hostname']
    .filter((key) => !pod.topologySpreadConstraints.some((it) => it.topologyKey === key))
    .map((key) => `it is not spread over ${key}`);

const serviceRules = (cluster: Cluster, workload: Workload): string[] =>
  workload.pod.containers.flatMap((container) => {
    const ports = Object.fromEntries(container.ports.map((it) => [it.name, it.containerPort]));
    const wanted = listening(cluster, container);
    const names = new Set([...Object.keys(ports), ...Object.keys(wanted)]);
    return [
      ...[...names]
        .filter((name) => ports[name] !== wanted[name])
        .map((name) => `its port ${name} is ${ports[name]}, and it listens on ${wanted[name]}`),
      ...probeRules(container),
      ...drainRules(cluster, workload, container),
      ...heapRules(cluster, container),
      ...spreadRules(workload),
    ].map((problem) => `${called(workload)}: ${problem}`);
  });

const confinementRules = (workload: Workload): string[] => {
  const { pod } = workload;
  const context = pod.securityContext;
  return [
    ...(pod.automountServiceAccountToken === false ? [] : ['it is given a token of the cluster']),
    ...(context.runAsNonRoot === true ? [] : ['it may run as root']),
    ...(lookUp(context, ['seccompProfile', 'type']) === 'RuntimeDefault'
      ? []
      : ['it has no seccomp profile']),
    ...containersOf(workload).flatMap((it) =>
      safetyRules(it).map((problem) => `container ${it.name}: ${problem}`),
    ),
  ].map((problem) => `${called(workload)}: ${problem}`);
};

const completeness = (cluster: Cluster): string[] => {
  const run = new Map(
    cluster.services.flatMap(({ name, pod }) => pod.containers.flatMap(servicesOf).map((it) => [it, name])),
  );
  const ownNames = new Set(run.values());
  return [
    ...serviceNames.filter((it) => !run.has(it)).map((it) => `nothing runs ${it}`),
    ...[...ownNames].flatMap((name) =>
      ['Service', 'ServiceAccount', 'NetworkPolicy']
        .filter((kind) => !cluster.has(kind, name))
        .map((kind) => `${name} has no ${kind}`),
    ),
  ];
};

/** The migrations and the services are those of one release, else the services would wait for ever. */
const releaseRules = (cluster: Cluster): string[] => {
  const images = cluster.workloads
    .filter((it) => it.name !== 'nats')
    .flatMap(containersOf)
    .map((it) => it.image);
  const different = [...new Set(images)];
  return [
    ...(cluster.has('Job', 'migrate') ? [] : ['nothing applies the migrations']),
    ...(different.length === 1 ? [] : [`there are images of several releases: ${different.join(', ')}`]),
  ];
};

/** Every pod is confined, is asked what it answers, listens where others look for it, and has time to end. */
export const podRules = (cluster: Cluster): string[] => [
  ...completeness(cluster),
  ...releaseRules(cluster),
  ...cluster.workloads.flatMap(confinementRules),
  ...cluster.services.flatMap((it) => serviceRules(cluster, it)),
];
