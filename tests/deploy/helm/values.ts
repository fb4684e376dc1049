import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serviceNames } from '@stanza/contracts';
import { stringify } from 'yaml';
import { containersOf, readCluster, type Workload } from '../kubernetes/cluster.ts';
import { render } from '../kubernetes/render.ts';
import { scalings } from '../kubernetes/rules/scaling.ts';

const heapOf = ({ pod }: Workload): number => {
  const options = pod.containers[0]?.env.find((it) => it.name === 'NODE_OPTIONS')?.value ?? '';
  return Number(/--max-old-space-size=(\d+)/.exec(options)?.[1]);
};

const resourcesOf = (workload: Workload) => containersOf(workload)[0]?.resources;

/** What the chart sets itself, from other values. */
const computed = ['STANZA_NATS_URL', 'STANZA_NATS_USER'];

const settingsOf = (kubernetes: string, name: string): Record<string, string> =>
  Object.fromEntries(
    readFileSync(join(kubernetes, `base/config/${name}.env`), 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)] as const)
      .filter(([key]) => !computed.includes(key)),
  );

const block = (key: string, value: unknown): string => stringify({ [key]: value }, { lineWidth: 0 });

/** The values of the chart, with the figures of the overlays. */
export const chartValues = (kubernetes: string): string => {
  const production = readCluster(render(join(kubernetes, 'overlays/production')));
  const small = readCluster(render(join(kubernetes, 'overlays/small')));
  const find = (cluster: typeof production, name: string): Workload => {
    const found = cluster.workloads.find((it) => it.name === name);
    if (found === undefined) throw new Error(`nothing runs ${name}`);
    return found;
  };
  const scaling = scalings(production);
  const services = Object.fromEntries(
    serviceNames.map((name) => {
      const workload = find(production, name);
      const bounds = scaling.find(({ target }) => target.name === name);
      const cpu = name === 'gateway' || name === 'compile' ? 65 : 70;
      return [
        name,
        {
          replicas: bounds?.least,
          autoscaling: { min: bounds?.least, max: bounds?.most, cpu },
          resources: resourcesOf(workload),
          heapMiB: heapOf(workload),
          settings: settingsOf(kubernetes, name),
        },
      ];
    }),
  );
  const all = find(small, 'gateway');
  const image = containersOf(find(production, 'nats'))[0]?.image;
  return `# Made from deploy/kubernetes: npm run docs writes it. What each setting means: docs/kubernetes.md.

image:
  repository: registry.example.com/stanza
  # The version of the chart, unless given.
  tag: ''
  pullPolicy: IfNotPresent
  pullSecrets: []

# All services in one pod, and one node of NATS. false: two pods of each service and more, three nodes of NATS.
small: false
${block('smallPod', { resources: resourcesOf(all), heapMiB: heapOf(all) })}
# Names of Secrets that exist, one for each process: "admin kubernetes secrets" makes them, with the address of Postgres in them.
${block('secrets', Object.fromEntries([...serviceNames, 'admin', 'migrate', 'nats'].map((it) => [it, it])))}
# Of each service: pods without autoscaling, bounds with it, memory, and settings (docs/configuration.md).
# heapMiB is about two thirds of the limit of memory; more than three quarters are refused.
${block('services', services)}
# The name of a ConfigMap whose files all processes have at /etc/stanza/certificates, such as the authority of a managed
# Postgres (docs/postgres.md, TLS) or of NATS (docs/kubernetes.md, NATS).
certificates: ''

# Variables of all services, of admin and of migrations, as a list of Kubernetes. OTEL_EXPORTER_OTLP_ENDPOINT turns
# traces on; NODE_OPTIONS, with its value, is added to that of the heap.
env: []

autoscaling:
  enabled: true
keda:
  # Also by due jobs. Needs KEDA, and monitoring.
  enabled: false
  prometheus: http://prometheus-operated.monitoring.svc:9090

nats:
  # false: url is that of a NATS of your own, with the accounts of files/users.conf.
  enabled: true
  url: nats://nats:4222
  image: ${image}
  # DoNotSchedule places three nodes in three zones or not at all; ScheduleAnyway is for clusters without zones.
  zones: DoNotSchedule

# Clients reach the service "gateway", port 80, by an Ingress or a route of the Gateway API.
ingress:
  enabled: false
  className: ''
  host: ''
  annotations: {}
  # - { hosts: [stanza.example.com], secretName: gateway-tls }
  tls: []
route:
  enabled: false
  hostnames: []
  # - { name: public, namespace: gateways }
  parentRefs: []
  annotations: {}

network:
  # NetworkPolicies: nothing reaches a pod, and a pod reaches nothing, but what is said here and what a service needs.
  policies: true
  # The controller of ingress.className, or of the Gateway.
  ingressNamespace: ingress-nginx
  monitoringNamespace: monitoring
  # Ports of Postgres, and of a pooler before it: migrations go to Postgres itself.
  postgres:
    ports: [5432]
    cidrs: [10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16]
  # A NATS of your own (nats.enabled: false).
  nats:
    ports: [4222]
    cidrs: [10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16]
  # Where traces go (rules of egress).
  collector:
    - to:
        - namespaceSelector:
            matchLabels:
              kubernetes.io/metadata.name: monitoring
      ports:
        - { port: 4318, protocol: TCP }

monitoring:
  # ServiceMonitor and PrometheusRule of the Prometheus operator.
  enabled: false
  # Those by which Prometheus selects, as { release: kube-prometheus-stack }.
  labels: {}

priorityClass:
  # The class of all pods. create makes it.
  name: ''
  create: false
  value: 100000

# A cluster of the operator CloudNativePG: three instances, one of two standbys synchronous.
postgres:
  enabled: false
  instances: 3
  size: 20Gi
  storageClass: ''
  # Of Postgres 18, where the operator's own choice is another.
  image: ''
  # Of postgresql.conf; without max_connections 300, and autoscaling reaches more (docs/kubernetes.md, Sizes).
  parameters: {}

# A stand-in of the chat platform, for trials: posts go to it, and nowhere else.
sandbox:
  enabled: false
  resources:
    requests: { cpu: 50m, memory: 128Mi }
    limits: { memory: 256Mi }

${block('admin', { resources: resourcesOf(find(production, 'admin')) })}
${block('migrate', { resources: resourcesOf(find(production, 'migrate')) })}
podAnnotations: {}
nodeSelector: {}
tolerations: []

# "helm test" compiles a template with the key of this Secret.
test:
  secret: stanza-test-key
`;
};
