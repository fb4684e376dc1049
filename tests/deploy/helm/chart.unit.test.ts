import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { serviceNames } from '@stanza/contracts';
import { byName } from '../kubernetes/by-name.ts';
import { readCluster } from '../kubernetes/cluster.ts';
import { at, isObject, type Json, type JsonObject, manifestOf } from '../kubernetes/manifest.ts';
import { parseYaml, render } from '../kubernetes/render.ts';
import { settingsOf } from '../kubernetes/rules/settings.ts';
import { schemaProblems } from '../kubernetes/schemas.ts';
import { chart, helm, named, rendered, whenThere } from './rendered.ts';

const root = join(import.meta.dirname, '../../..');

const overlayOf = (name: string) => render(join(root, 'deploy/kubernetes/overlays', name));
const ingress = overlayOf('production').find((it) => it.kind === 'Ingress');

/** What an overlay has, which is off in the chart until the cluster has what it needs. */
const asOverlay: JsonObject = {
  image: { tag: 'your-version' },
  keda: { enabled: true },
  monitoring: { enabled: true },
  ingress: {
    enabled: true,
    host: 'stanza.example.com',
    className: 'nginx',
    annotations: at(ingress, 'metadata', 'annotations') ?? {},
    tls: at(ingress, 'spec', 'tls') ?? [],
  },
};

const everything: JsonObject = {
  ...asOverlay,
  env: [{ name: 'OTEL_EXPORTER_OTLP_ENDPOINT', value: 'http://collector:4318' }],
  route: { enabled: true, parentRefs: [{ name: 'public' }], hostnames: ['stanza.example.com'] },
  priorityClass: { name: 'stanza', create: true },
  postgres: { enabled: true },
  sandbox: { enabled: true },
  certificates: 'postgres-authority',
};

const without = (it: Json | undefined, keys: RegExp): Json | undefined =>
  isObject(it) ? Object.fromEntries(Object.entries(it).filter(([key]) => !keys.test(key))) : it;

const plainName = (kind: string, name: string): string => {
  if (kind === 'Job') return name.replace(/-1$/, '');
  return kind === 'ConfigMap' ? name.replace(/-[a-z0-9]{10}$/, '') : name;
};

/** Leaves out what only one of the two has: namespaces, hashes in names, Helm's labels, checksums. */
const comparable = (resource: JsonObject): JsonObject => {
  const { kind, name } = manifestOf(resource);
  const text = JSON.stringify(resource, (key, it: Json) => {
    if (key === 'metadata') return without(it, /^namespace$/);
    if (key === 'labels' || key === 'annotations') {
      const others = without(it, /^(helm\.sh\/chart|app\.kubernetes\.io\/managed-by|checksum\/.*)$/);
      return isObject(others) && Object.keys(others).length === 0 ? undefined : others;
    }
    return ['configMapRef', 'configMap'].includes(key) && isObject(it) && typeof it.name === 'string'
      ? { ...it, name: plainName('ConfigMap', it.name) }
      : it;
  });
  const plain: JsonObject = JSON.parse(text);
  const { metadata } = plain;
  return { ...plain, metadata: { ...(isObject(metadata) ? metadata : {}), name: plainName(kind, name) } };
};

const compared = (resources: readonly JsonObject[]) =>
  byName(
    resources
      .filter((it) => it.kind !== 'Namespace' && at(it, 'metadata', 'annotations', 'helm.sh/hook') !== 'test')
      .map(comparable),
  );

whenThere('the chart', () => {
  const forms: readonly [form: string, values: JsonObject][] = [
    ['production', asOverlay],
    ['small', { ...asOverlay, small: true, ingress: {}, monitoring: {} }],
  ];

  it.each(forms)('makes in the form of %s what the overlay of that name has', (form, values) => {
    expect(compared(rendered(values))).toEqual(compared(overlayOf(form)));
  });

  it('has resources as the schemas of their kinds have it, with everything switched on', () => {
    const known = rendered(everything).filter(
      (it) => !/cnpg|gateway\.networking/.test(String(it.apiVersion)),
    );
    expect(schemaProblems(known).flat()).toEqual([]);
  });

  it('has no complaint of helm lint', () => {
    const { stdout, status } = helm(['lint', chart, '--strict'], everything);
    expect([status, stdout]).toEqual([0, expect.stringContaining('0 chart(s) failed')]);
  });

  it('scales by hand without autoscaling, and by processor alone without KEDA', () => {
    const kindsOf = (values: JsonObject) => new Set(rendered(values).map((it) => it.kind));
    const byHand = rendered({ autoscaling: { enabled: false } });
    expect(at(named(byHand, 'Deployment/compile'), 'spec', 'replicas')).toBe(2);
    expect(kindsOf({ autoscaling: { enabled: false } })).not.toContain('HorizontalPodAutoscaler');
    expect(rendered({}).filter((it) => it.kind === 'HorizontalPodAutoscaler')).toHaveLength(6);
  });

  it('takes settings over its own, large numbers as they are written', () => {
    const settings = {
      STANZA_DATABASE_POOL: 20,
      STANZA_CHAT_BREAKER_MS: 1048576,
      OTEL_TRACES_SAMPLER_ARG: 0.5,
    };
    const made = rendered({ services: { delivery: { settings } } });
    expect(at(named(made, 'ConfigMap/delivery'), 'data')).toMatchObject({
      STANZA_DATABASE_POOL: '20',
      STANZA_CHAT_BREAKER_MS: '1048576',
      OTEL_TRACES_SAMPLER_ARG: '0.5',
      STANZA_DESTINATION_PORTS: '443',
    });
  });

  it('rolls the pods of a service whose settings changed, and of no other', () => {
    const annotations = (values: JsonObject) =>
      ['delivery', 'gateway'].map((name) =>
        at(named(rendered(values), `Deployment/${name}`), 'spec', 'template', 'metadata', 'annotations'),
      );
    const [delivery, gateway] = annotations({});
    const [changed, same] = annotations({ services: { delivery: { settings: { STANZA_MESSAGE_DAYS: 5 } } } });
    expect(same).toEqual(gateway);
    expect(changed).not.toEqual(delivery);
  });

  it('leaves NATS out where another is named, and sends everybody there', () => {
    const made = rendered({ nats: { enabled: false, url: 'nats://broker.internal:4222' } });
    expect(made.filter((it) => manifestOf(it).name.startsWith('nats'))).toEqual([]);
    expect(at(named(made, 'ConfigMap/compile'), 'data', 'STANZA_NATS_URL')).toBe(
      'nats://broker.internal:4222',
    );
    expect(JSON.stringify(named(made, 'Deployment/admin'))).toContain('@broker.internal:4222');
  });

  it('gives the operator and the demo their user also where NATS takes TLS alone', () => {
    const made = rendered({
      nats: { enabled: false, url: 'tls://broker.internal:4222' },
      sandbox: { enabled: true },
      env: [{ name: 'NODE_EXTRA_CA_CERTS', value: '/etc/stanza/certificates/ca.pem' }],
    });
    for (const name of ['admin', 'demo-1']) {
      const env = readCluster(made).workloads.find((it) => it.name === name)?.pod.containers[0]?.env;
      expect(env).toContainEqual({
        name: 'NATS_URL',
        value: 'tls://$(STANZA_NATS_USER):$(STANZA_NATS_PASSWORD)@broker.internal:4222',
      });
      expect(env?.map((it) => it.name)).toContain('NODE_EXTRA_CA_CERTS');
    }
  });

  it.each([true, false])(
    'gives each variable of env once, to migrations as well, where small is %s',
    (small) => {
      const env = [
        { name: 'NODE_EXTRA_CA_CERTS', value: '/etc/stanza/certificates/ca.pem' },
        { name: 'NODE_OPTIONS', value: '--use-openssl-ca' },
      ];
      const pods = readCluster(rendered({ small, env })).workloads.filter((it) => it.name !== 'nats');
      expect(pods.map((it) => it.name)).toContain('migrate-1');
      for (const { name, pod } of pods) {
        const given = pod.containers[0]?.env ?? [];
        const names = given.map((it) => it.name);
        expect([name, names]).toEqual([name, [...new Set(names)]]);
        expect(names).toContain('NODE_EXTRA_CA_CERTS');
        const heap = /^(admin|migrate)/.test(name) ? '' : '--max-old-space-size=\\d+ ';
        const options = given.find((it) => it.name === 'NODE_OPTIONS')?.value;
        expect(options).toMatch(new RegExp(`^${heap}--use-openssl-ca$`));
      }
    },
  );

  it('says where a variable goes that the process of a service would not get', () => {
    const withSetting = (setting: string, small: boolean) => () =>
      rendered({ small, services: { delivery: { settings: { [setting]: 'x' } } } });
    expect(withSetting('NODE_OPTIONS', false)).toThrow('NODE_OPTIONS: name it in env');
    expect(withSetting('OTEL_SERVICE_NAME', true)).toThrow('OTEL_SERVICE_NAME: name it in env');
    expect(withSetting('OTEL_SERVICE_NAME', false)).not.toThrow();
  });

  it('takes the file of values of 0.2.0, which had a key by mistake', () => {
    const made = rendered({ '  parameters': {}, network: { postgres: { port: 6432 } } });
    expect(JSON.stringify(named(made, 'NetworkPolicy/to-postgres'))).toContain('6432');
  });

  it('lets pods to a NATS of your own, and to nothing else in its place', () => {
    const cidrs = ['10.9.0.0/16'];
    const made = rendered({
      nats: { enabled: false, url: 'nats://broker.internal:4333' },
      network: { nats: { ports: [4333], cidrs } },
    });
    expect(at(named(made, 'NetworkPolicy/to-nats'), 'spec', 'egress')).toEqual([
      { to: [{ ipBlock: { cidr: '10.9.0.0/16' } }], ports: [{ port: 4333, protocol: 'TCP' }] },
    ]);
  });

  it('lets pods to no Postgres and no NATS where no address is given', () => {
    const made = rendered({
      nats: { enabled: false },
      network: { nats: { cidrs: [] }, postgres: { cidrs: [] } },
    });
    for (const name of ['to-nats', 'to-postgres'])
      expect(at(named(made, `NetworkPolicy/${name}`), 'spec', 'egress')).toEqual([]);
  });

  it('takes names of digits and of words of YAML for the texts that they are', () => {
    const names = Object.fromEntries([...serviceNames, 'admin', 'migrate', 'nats'].map((it) => [it, 'true']));
    const made = rendered({
      ...everything,
      secrets: names,
      certificates: '11',
      ingress: { enabled: true, host: 'on', className: '12' },
      network: { ingressNamespace: '16', monitoringNamespace: '17' },
      priorityClass: { name: '19', create: true },
      postgres: { enabled: true, storageClass: '20', image: '21', size: '1e3' },
      test: { secret: '23' },
    });
    const cluster = at(named(made, 'Cluster/postgres'), 'spec');
    expect([at(cluster, 'imageName'), at(cluster, 'storage')]).toEqual([
      '21',
      { size: '1e3', storageClass: '20' },
    ]);
    const known = made.filter((it) => !/cnpg|gateway\.networking/.test(String(it.apiVersion)));
    expect(schemaProblems(known).flat()).toEqual([]);
  });

  it('lets services to a pooler and migrations past it to Postgres', () => {
    const portsOf = (postgres: JsonObject) =>
      at(
        named(rendered({ network: { postgres } }), 'NetworkPolicy/to-postgres'),
        'spec',
        'egress',
        0,
        'ports',
      );
    const tcp = (port: number) => ({ port, protocol: 'TCP' });
    expect(portsOf({ ports: [5432, 6432] })).toEqual([tcp(5432), tcp(6432)]);
    expect(portsOf({ port: 5433 })).toEqual([tcp(5433)]);
  });

  it('gives each process the certificates that are named, and no other volume without', () => {
    const mounts = (values: JsonObject) =>
      readCluster(rendered(values)).workloads.flatMap(({ name, pod }) =>
        JSON.stringify(pod).includes('/etc/stanza/certificates') ? [name] : [],
      );
    expect(mounts({})).toEqual([]);
    expect(mounts({ certificates: 'authority', sandbox: { enabled: true } }).sort()).toEqual(
      [...serviceNames, 'admin', 'demo-1', 'migrate-1'].sort(),
    );
  });

  it('takes parameters of Postgres over its own', () => {
    const parameters = { max_connections: 700, effective_cache_size: '3GB' };
    const made = rendered({ postgres: { enabled: true, parameters } });
    expect(at(named(made, 'Cluster/postgres'), 'spec', 'postgresql', 'parameters')).toEqual({
      max_connections: '700',
      effective_cache_size: '3GB',
      timezone: 'UTC',
    });
  });

  it('takes the values of the guide, whose settings the gateway knows', () => {
    const page = readFileSync(join(root, 'docs/kubernetes.md'), 'utf8');
    const [values] = parseYaml(/```yaml\n(# values\.yaml[^`]+)```/.exec(page)?.[1] ?? '');
    const made = rendered(values ?? {});
    expect(at(named(made, 'Ingress/gateway'), 'spec', 'ingressClassName')).toBe('nginx');
    const settings = Object.keys(Object(at(values, 'services', 'gateway', 'settings')));
    expect(settings).toContain('STANZA_TRUSTED_PROXIES');
    const known = Object.keys(settingsOf.gateway.shape);
    expect(settings.filter((it) => !known.includes(it))).toEqual([]);
  });

  it('says which value is missing', () => {
    expect(() => rendered({ ingress: { enabled: true } })).toThrow('ingress.host');
    expect(() => rendered({ route: { enabled: true } })).toThrow('route.parentRefs');
  });

  const settingOf = (name: string): JsonObject => ({ services: { delivery: { settings: { [name]: 1 } } } });

  it.each<[problem: string, values: JsonObject, text: RegExp]>([
    ['a misspelled value', { replicaCounts: 3 }, /replicaCounts/],
    ['a misspelled value below another', { image: { digest: 'sha256:0' } }, /image.*digest/],
    ['a service that there is not', { services: { deliverer: {} } }, /services.*deliverer/],
    ['a setting of another service', settingOf('STANZA_CONSOLE'), /delivery.*STANZA_CONSOLE/],
    ['a text for a number', { services: { gateway: { replicas: 'two' } } }, /gateway.*replicas/],
    ['a number for a text', { image: { tag: 20270101 } }, /image.*tag/],
    ['a number for a variable of all', { env: [{ name: 'OTEL_LEVEL', value: 1 }] }, /env.*value/],
    ['a port that probes name', settingOf('STANZA_METRICS_PORT'), /delivery.*STANZA_METRICS_PORT/],
    [
      'bounds that cross',
      { services: { gateway: { autoscaling: { min: 5, max: 2 } } } },
      /min \(5\) is above/,
    ],
    [
      'a heap beyond its memory',
      { services: { compile: { heapMiB: 2048 } } },
      /compile\.heapMiB: 2048 MiB are more than three quarters of the limit of memory, 1Gi/,
    ],
    [
      'a heap beyond the memory of the small form',
      { small: true, smallPod: { resources: { limits: { memory: '0.5Gi' } } } },
      /smallPod\.heapMiB: 640 MiB .* 0\.5Gi/,
    ],
    [
      'options of Node from a Secret',
      { env: [{ name: 'NODE_OPTIONS', valueFrom: { secretKeyRef: { name: 'node', key: 'options' } } }] },
      /NODE_OPTIONS .* give its value itself/,
    ],
    ['a word of another list', { nats: { zones: 'Never' } }, /zones.*DoNotSchedule/],
  ])('refuses %s, and names it', (_, values, text) => {
    expect(() => rendered(values)).toThrow(text);
  });

  it('may be part of another chart, whose global values it is given', () => {
    expect(rendered({ global: { region: 'eu' } })).toEqual(rendered({}));
  });

  it('labels for Prometheus, and gives a class to every pod', () => {
    const made = rendered({
      ...everything,
      monitoring: { enabled: true, labels: { release: 'prometheus' } },
    });
    for (const key of ['ServiceMonitor/stanza', 'PrometheusRule/stanza'])
      expect(at(named(made, key), 'metadata', 'labels')).toMatchObject({ release: 'prometheus' });
    const pods = readCluster(made).workloads.map(({ pod }) => pod.priorityClassName);
    expect(new Set(pods)).toEqual(new Set(['stanza']));
  });
});

describe('the values of the chart', () => {
  it('are those of the overlays', () => {
    const [values] = parseYaml(readFileSync(join(chart, 'values.yaml'), 'utf8'));
    expect(at(values, 'services', 'compile')).toMatchObject({
      autoscaling: { min: 2, max: 20, cpu: 65 },
      resources: { limits: { memory: '1Gi' } },
      heapMiB: 512,
    });
    expect(at(values, 'smallPod', 'heapMiB')).toBe(640);
  });

  it('are the keys that the templates read', () => {
    const templates = globSync('templates/**/*', { cwd: chart })
      .filter((it) => /\.(yaml|tpl|txt)$/.test(it))
      .map((it) => readFileSync(join(chart, it), 'utf8'))
      .join('\n');
    const [values] = parseYaml(readFileSync(join(chart, 'values.yaml'), 'utf8'));
    const read = [...templates.matchAll(/\.Values((?:\.\w+)+)/g)].map((it) => it[1]?.slice(1) ?? '');
    const isThere = (path: string) => at(values, ...path.split('.')) !== undefined;
    expect([...new Set(read)].filter((it) => !isThere(it))).toEqual([]);
    const top = new Set(read.map((it) => it.split('.')[0]));
    expect(Object.keys(isObject(values) ? values : {}).filter((it) => !top.has(it))).toEqual([]);
  });
});
