import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { clusterSecrets } from '@stanza/local';
import { type Change, edit, type Path, without } from './change.ts';
import { readCluster } from './cluster.ts';
import type { Json, JsonObject } from './manifest.ts';
import { render } from './render.ts';
import { problemsOf } from './rules/index.ts';

const production = render(join(import.meta.dirname, '../../../deploy/kubernetes/overlays/production'));
const secrets = await clusterSecrets('postgres://db.example:5432/stanza', 'stanza');
const sound: readonly JsonObject[] = [...production, ...secrets.items];

const pod: Path = ['spec', 'template', 'spec'];
const container: Path = [...pod, 'containers', 0];
const deployment = (name: string, path: Path, wanted: Json | undefined): Change =>
  edit('Deployment', name, path, wanted);

const mistakes: readonly [mistake: string, change: Change, caught: string][] = [
  [
    'a setting that the service does not know',
    edit('ConfigMap', 'template', ['data', 'STANZA_POOL'], '5'),
    'Deployment template, container service: STANZA_POOL is not a setting of this service',
  ],
  [
    'a setting of another service',
    edit('ConfigMap', 'compile', ['data', 'STANZA_DATABASE_POOL'], '5'),
    'Deployment compile, container service: STANZA_DATABASE_POOL is not a setting of this service',
  ],
  [
    'a value that the service refuses',
    edit('ConfigMap', 'template', ['data', 'STANZA_DATABASE_POOL'], 'many'),
    'Deployment template, container service: STANZA_DATABASE_POOL: ',
  ],
  [
    'a missing required setting',
    edit('Secret', 'delivery', ['stringData', 'STANZA_ENCRYPTION_KEYS'], undefined),
    'Deployment delivery, container service: STANZA_ENCRYPTION_KEYS is required',
  ],
  [
    'a variable that no process reads',
    edit('ConfigMap', 'gateway', ['data', 'LOG_LEVEL'], 'debug'),
    'Deployment gateway, container service: no process reads LOG_LEVEL',
  ],
  ['a Secret that is not there', without('Secret', 'gateway'), 'there is no Secret gateway'],
  [
    'a key of a Secret that is not there',
    edit('Secret', 'admin', ['stringData', 'STANZA_NATS_PASSWORD'], undefined),
    'there is no Secret admin, key STANZA_NATS_PASSWORD',
  ],
  [
    'the broker user of another service',
    edit('Secret', 'template', ['stringData', 'STANZA_NATS_USER'], 'delivery'),
    'Deployment template, container service: it is not its own user of the broker',
  ],
  [
    'a migration without an address',
    edit('Secret', 'migrate', ['stringData', 'STANZA_MIGRATION_URL'], undefined),
    'Job migrate, container migrate: STANZA_MIGRATION_URL is required',
  ],
  [
    'a service that runs another',
    deployment('template', [...container, 'args', 0], 'compile'),
    'Deployment template, container service: it runs compile',
  ],
  [
    'a Service that selects nothing',
    edit('Service', 'compile', ['spec', 'selector', 'app.kubernetes.io/name'], 'compiler'),
    'Service compile meets 0 workloads',
  ],
  [
    'a Service whose port the pods do not have',
    edit('Service', 'gateway', ['spec', 'ports', 0, 'targetPort'], 'web'),
    'Service gateway: Deployment gateway has no port web',
  ],
  [
    'a selector that does not meet its own pods',
    deployment('organization', ['spec', 'selector', 'matchLabels', 'app.kubernetes.io/name'], 'orga'),
    'Deployment organization: its selector does not meet its own pods',
  ],
  [
    'a policy of the network that meets nothing',
    edit('NetworkPolicy', 'delivery', ['spec', 'podSelector', 'matchLabels'], { app: 'delivery' }),
    'NetworkPolicy delivery meets no pods',
  ],
  [
    'an Ingress to a port that is not there',
    edit('Ingress', 'gateway', ['spec', 'rules', 0, 'http', 'paths', 0, 'backend', 'service', 'port'], {
      name: 'https',
    }),
    'Ingress gateway: there is no Service gateway with a port https',
  ],
  [
    'a Service that is not scraped',
    edit('Service', 'compile', ['metadata', 'labels'], {}),
    'ServiceMonitor stanza does not scrape Deployment compile',
  ],
  [
    'metrics at a path that no process serves',
    edit('ServiceMonitor', 'stanza', ['spec', 'endpoints', 0, 'path'], '/stats'),
    'nothing is served at /stats',
  ],
  [
    'series that have the job and the service of what is scraped, and not their own',
    edit('ServiceMonitor', 'stanza', ['spec', 'endpoints', 0, 'honorLabels'], undefined),
    'ServiceMonitor stanza takes the labels job and service from series',
  ],
  [
    'an account that is not there',
    without('ServiceAccount', 'gateway'),
    'there is no ServiceAccount gateway',
  ],
  [
    'a container port on which nothing listens',
    deployment('gateway', [...container, 'ports', 1, 'containerPort'], 8080),
    'Deployment gateway: its port http is 8080, and it listens on 8787',
  ],
  [
    'a port that is moved by a setting alone',
    edit('ConfigMap', 'template', ['data', 'STANZA_METRICS_PORT'], '9000'),
    'Deployment template: its port metrics is 9464, and it listens on 9000',
  ],
  [
    'a probe at a path that no process serves',
    deployment('compile', [...container, 'readinessProbe', 'httpGet', 'path'], '/healthz'),
    'Deployment compile: nothing answers its readinessProbe at /healthz',
  ],
  [
    'no probe at all',
    deployment('compile', [...container, 'livenessProbe'], undefined),
    'Deployment compile: it has no livenessProbe',
  ],
  [
    'a grace period shorter than the drain',
    deployment('delivery', [...pod, 'terminationGracePeriodSeconds'], 30),
    'Deployment delivery: it is killed after 30 s, and may need 36 s to end',
  ],
  [
    'no wait before the end',
    deployment('gateway', [...container, 'lifecycle'], undefined),
    'Deployment gateway: nothing gives the load balancers time before it ends',
  ],
  ['no migrations', without('Job', 'migrate'), 'nothing applies the migrations'],
  [
    'the migrations of another release',
    edit('Job', 'migrate', [...container, 'image'], 'registry.example.com/stanza:0.0.0'),
    'there are images of several releases',
  ],
  [
    'a root file system that can be written',
    deployment('gateway', [...container, 'securityContext', 'readOnlyRootFilesystem'], false),
    'Deployment gateway: container service: its securityContext does not say readOnlyRootFilesystem',
  ],
  [
    'capabilities',
    deployment('gateway', [...container, 'securityContext', 'capabilities'], undefined),
    'Deployment gateway: container service: its securityContext does not say capabilities.drop.0',
  ],
  [
    'a pod that may run as root',
    edit('StatefulSet', 'nats', [...pod, 'securityContext', 'runAsNonRoot'], undefined),
    'StatefulSet nats: it may run as root',
  ],
  [
    'a token of the cluster',
    deployment('admin', [...pod, 'automountServiceAccountToken'], undefined),
    'Deployment admin: it is given a token of the cluster',
  ],
  [
    'memory without a limit',
    deployment('compile', [...container, 'resources', 'limits'], {}),
    'Deployment compile: container service: its memory has no limit',
  ],
  [
    'a heap larger than the memory',
    deployment('compile', [...container, 'env', 0, 'value'], '--max-old-space-size=2048'),
    'Deployment compile: its heap of 2048 MiB does not fit into 1024 MiB',
  ],
  [
    'pods that may all be in one zone',
    deployment('compile', [...pod, 'topologySpreadConstraints', 0], undefined),
    'Deployment compile: it is not spread over ',
  ],
  ['a service without a process', without('Deployment', 'compile'), 'nothing runs compile'],
  [
    'an autoscaler of nothing',
    edit('HorizontalPodAutoscaler', 'gateway', ['spec', 'scaleTargetRef', 'name'], 'gate'),
    'HorizontalPodAutoscaler gateway: there is no Deployment gate',
  ],
  [
    'two autoscalers of one service',
    edit('HorizontalPodAutoscaler', 'template', ['spec', 'scaleTargetRef', 'name'], 'delivery'),
    'something else scales Deployment delivery too',
  ],
  [
    'a number of pods beside an autoscaler',
    deployment('gateway', ['spec', 'replicas'], 2),
    'HorizontalPodAutoscaler gateway: Deployment gateway has a number of its own',
  ],
  [
    'a metric that is not there',
    edit(
      'ScaledObject',
      'delivery',
      ['spec', 'triggers', 1, 'metadata', 'query'],
      'sum(stanza_lag{namespace="stanza",job="deliver-batch"})',
    ),
    'ScaledObject delivery: there is no metric stanza_lag',
  ],
  [
    'the jobs of another service',
    edit(
      'ScaledObject',
      'delivery',
      ['spec', 'triggers', 1, 'metadata', 'query'],
      'sum(stanza_jobs_due{namespace="stanza",job="record-audit"})',
    ),
    'ScaledObject delivery: the job record-audit is not its own',
  ],
  [
    'the jobs of another release in the same Prometheus',
    edit(
      'ScaledObject',
      'delivery',
      ['spec', 'triggers', 1, 'metadata', 'query'],
      'sum(stanza_jobs_due{namespace="staging",job="deliver-batch"})',
    ),
    'ScaledObject delivery: it asks for the namespace staging',
  ],
  [
    'a budget that lets all pods go at once',
    edit('PodDisruptionBudget', 'gateway', ['spec', 'maxUnavailable'], 2),
    'PodDisruptionBudget gateway lets all 2 pods go at once',
  ],
  [
    'a service without a budget',
    without('PodDisruptionBudget', 'compile'),
    'Deployment compile has no PodDisruptionBudget',
  ],
  ['a network that is open from the start', without('NetworkPolicy', 'default-deny'), 'nothing is forbidden'],
  [
    'a service that the network keeps from its database',
    deployment('template', ['spec', 'template', 'metadata', 'labels', 'stanza/postgres'], undefined),
    'Deployment template: the network keeps it from the database',
  ],
  [
    'nodes of NATS that no exporter reaches',
    edit('NetworkPolicy', 'nats', ['spec', 'ingress', 2], undefined),
    'StatefulSet nats: the network keeps it from an exporter of NATS',
  ],
  [
    'a service that the network lets to a database that it has not',
    deployment('compile', ['spec', 'template', 'metadata', 'labels', 'stanza/postgres'], 'client'),
    'Deployment compile: the network lets it to the database',
  ],
  [
    'a way to the addresses of the cluster',
    edit('NetworkPolicy', 'delivery', ['spec', 'egress', 0, 'to', 0, 'ipBlock', 'except', 4], undefined),
    'Deployment delivery: the network lets it to 169.254.169.254, an address that is not public',
  ],
  [
    'a port of destinations that the network stops',
    edit('ConfigMap', 'delivery', ['data', 'STANZA_DESTINATION_PORTS'], '443,8443'),
    'Deployment delivery: destinations may use port 8443, and the network stops it',
  ],
  [
    'a gateway that everyone reaches',
    edit('NetworkPolicy', 'gateway', ['spec', 'ingress', 0, 'from'], undefined),
    'Deployment gateway: the network lets everyone in',
  ],
  [
    'a password of the broker that may be read as a number',
    edit('Secret', 'nats', ['stringData', 'passwords.conf'], 'STANZA_NATS_PASSWORD_DELIVERY: 4711'),
    'nothing says what STANZA_NATS_PASSWORD_DELIVERY is',
  ],
];

describe('a mistake in the manifests', () => {
  it('is not found where there is none', () => {
    expect(problemsOf(readCluster(sound))).toEqual([]);
  });

  it.each(mistakes)('%s', (_, change, caught) => {
    expect(problemsOf(readCluster(change(sound)))).toContainEqual(expect.stringContaining(caught));
  });
});
